/** A consent in storage: `grant` is the authorization server's record, `expiresAt` in milliseconds since the epoch. */
export type StoredConsent = { id: number; clientId: string; clientName: string; grant: Grant; expiresAt: number }

/** A grant as oidc-provider stores it: `iat` in seconds since the epoch. */
export type Grant = { iat: number; openid?: Scoped; rejected?: { openid?: Scoped } }

/** Scopes, separated by spaces. */
export type Scoped = { scope?: string }
