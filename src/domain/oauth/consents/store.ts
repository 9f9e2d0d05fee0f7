import type { Page, PageOf } from "../../../kernel/page.ts"

/** A consent as stored: `grant` is the authorization server's record of it, `expiresAt` in milliseconds since the epoch. */
export type StoredConsent = { id: number; clientId: string; clientName: string; grant: Grant; expiresAt: number }

/** A grant as oidc-provider writes it: `iat` in seconds since the epoch, scopes separated by spaces. */
export type Grant = { iat: number; openid?: Scoped; rejected?: { openid?: Scoped } }
/** Scopes, separated by spaces. */
export type Scoped = { scope?: string }

/** What the service asks storage about what people have allowed applications. */
export type ConsentStore = {
  /** A person's consents that have not ended at `now`, newest (highest id) first. */
  list(userId: number, now: number, page: Page): Promise<PageOf<StoredConsent>>
  /** Removes a person's consent and everything that was issued under it; false when they have none with this id. */
  end(id: number, userId: number): Promise<boolean>
}
