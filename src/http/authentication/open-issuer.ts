import type { Clock } from "../../kernel/clock.ts"
import type { ExternalIssuer } from "./external-issuer.ts"

/** Loads what reads the keys of the trusted issuer; undefined where there is none. */
export async function openIssuer(
  trusted: Omit<ExternalIssuer, "keys"> | undefined,
  steady: Clock,
  tell: (reason: string | undefined) => void,
): Promise<(ExternalIssuer & Disposable) | undefined> {
  if (trusted === undefined) return undefined
  const { issuerKeys } = await import("./issuer-keys.ts")
  const keys = issuerKeys(trusted.issuer, steady, tell)
  return { ...trusted, keys, [Symbol.dispose]: keys[Symbol.dispose] }
}
