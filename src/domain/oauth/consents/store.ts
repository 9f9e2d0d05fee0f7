import type { Page, PageOf } from "../../../kernel/page.ts"

/** A consent as stored. `grant` is what the authorization server remembers of it, as JSON. Times are milliseconds. */
export type StoredConsent = { id: number; clientId: string; clientName: string; grant: string; expiresAt: number }

/** What the service asks storage about what people have allowed applications. */
export type ConsentStore = {
  /** A person's consents that have not ended at `now`, newest (highest id) first. */
  list(userId: number, now: number, page: Page): Promise<PageOf<StoredConsent>>
  /** Removes a person's consent and everything that was issued under it; false when they have none with this id. */
  end(id: number, userId: number): Promise<boolean>
}
