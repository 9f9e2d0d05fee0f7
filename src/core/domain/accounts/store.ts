import type { Page, PageOf } from "../../kernel/endpoint/page.ts"
import type { Account } from "./contract.ts"

/** Accounts in storage. */
export type AccountStore = {
  /** Adds an account and returns it with its new id. */
  add(account: Omit<Account, "id">): Promise<Account>
  /** The account with this id; undefined when there is none. */
  read(id: number): Promise<Account | undefined>
  /** The oldest account; undefined while there is none. */
  first(): Promise<Account | undefined>
  /** All accounts, newest (highest id) first. */
  list(page: Page): Promise<PageOf<Account>>
  /** Changes the given fields; returns the changed account, or undefined when there is none. */
  change(id: number, changes: Partial<Omit<Account, "id">>): Promise<Account | undefined>
}
