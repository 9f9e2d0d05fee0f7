import { contact, issuer } from "./addresses.ts"
import { anyText, key256, oneOf, orUndefined } from "./kinds.ts"
import type { Topic } from "./setting.ts"

/** Credentials, encryption at rest, and trusted token issuers. */
export const security = {
  anonymousKey: {
    variable: "PETSTORE_ANONYMOUS",
    kind: oneOf("special-key", "pro-key", "free-key"),
    otherwise: "none: such requests are 401",
    meaning: "A key of the sandbox; requests without a valid credential act for it. Not in production",
    notInProduction: "production has no key that everyone knows",
  },
  /** Undefined when the key is in the data directory. */
  secretKey: {
    variable: "PETSTORE_SECRET_KEY",
    kind: key256,
    otherwise: "`secret.key` in the data directory, created at the first start; required with PostgreSQL",
    meaning: "The key that encrypts secrets at rest, the same for every replica",
  },
  previousSecretKey: {
    variable: "PETSTORE_SECRET_KEY_PREVIOUS",
    kind: key256,
    meaning: "The previous PETSTORE_SECRET_KEY; at the start, the service encrypts its secrets with the current one",
  },
  securityContact: {
    variable: "PETSTORE_SECURITY_CONTACT",
    kind: orUndefined(contact, "none"),
    default: "mailto:security@petstore.example",
    inProduction: "none",
    meaning: "Where to report a vulnerability, for `/.well-known/security.txt` (RFC 9116)",
  },
  oidcIssuer: {
    variable: "PETSTORE_OIDC_ISSUER",
    kind: issuer,
    meaning: "An issuer of JWT access tokens (RFC 9068) to trust in addition to the service itself",
  },
  oidcAudience: {
    variable: "PETSTORE_OIDC_AUDIENCE",
    kind: anyText,
    meaning: "The audience that its tokens must have; required with PETSTORE_OIDC_ISSUER",
  },
} as const satisfies Topic
