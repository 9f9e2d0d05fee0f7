import type { Clock } from "../../kernel/clock.ts"
import type { ExternalIssuer } from "./external-issuer.ts"

/** Loads what reads keys, which only a service that trusts an external issuer needs. */
export async function openIssuer(
  trusted: Omit<ExternalIssuer, "keys">,
  steady: Clock,
  tell: (reason: string | undefined) => void,
): Promise<ExternalIssuer> {
  const { issuerKeys } = await import("./issuer-keys.ts")
  return { ...trusted, keys: issuerKeys(trusted.issuer, steady, tell) }
}
