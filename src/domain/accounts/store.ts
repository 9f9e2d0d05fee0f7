import type { Account } from "./contract.ts"

/** What the service asks storage about accounts. */
export type AccountStore = {
  /** Adds an account and answers it with its new id. */
  add(account: Omit<Account, "id">): Promise<Account>
  read(id: number): Promise<Account | undefined>
}
