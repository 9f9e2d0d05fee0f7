import type { Page, PageOf } from "../../../kernel/page.ts"

/** A consent in storage: `grant` is the authorization server's record, `expiresAt` in milliseconds since the epoch. */
export type StoredConsent = { id: number; clientId: string; clientName: string; grant: Grant; expiresAt: number }

/** A grant as oidc-provider stores it: `iat` in seconds since the epoch. */
export type Grant = { iat: number; openid?: Scoped; rejected?: { openid?: Scoped } }
/** Scopes, separated by spaces. */
export type Scoped = { scope?: string }

/** Consents in storage. */
export type ConsentStore = {
  /** A person's consents that are valid at `now`, newest (highest id) first. */
  list(userId: number, now: number, page: Page): Promise<PageOf<StoredConsent>>
  /** Deletes a person's consent and everything issued under it; false when there is none with this id. */
  end(id: number, userId: number): Promise<boolean>
}
