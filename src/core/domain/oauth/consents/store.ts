import type { Page, PageOf } from "../../../kernel/endpoint/page.ts"
import type { StoredConsent } from "./model.ts"

/** Consents in storage. */
export type ConsentStore = {
  /** A person's consents that are valid at `now`, newest (highest id) first. */
  list(userId: number, now: number, page: Page): Promise<PageOf<StoredConsent>>
  /** Deletes a person's consent and everything issued under it; false when there is none with this id. */
  end(id: number, userId: number): Promise<boolean>
}
