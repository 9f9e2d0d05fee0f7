import type { Clock } from "../../kernel/clock.ts"
import type { ExternalIssuer } from "./external-issuer.ts"

/** Undefined without an external issuer. */
export async function openIssuer(
  trusted: Omit<ExternalIssuer, "keys"> | undefined,
  steady: Clock,
  report: (reason: string | undefined) => void,
): Promise<(ExternalIssuer & Disposable) | undefined> {
  if (trusted === undefined) return undefined
  const { openIssuerKeys } = await import("./issuer-keys.ts")
  const keys = openIssuerKeys(trusted.issuer, steady, report)
  return { ...trusted, keys, [Symbol.dispose]: keys[Symbol.dispose] }
}
