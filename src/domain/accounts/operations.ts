import type { Operations } from "../context.ts"
import type { accounts } from "./contract.ts"
import { createAccount } from "./create.ts"
import { listAccounts } from "./list.ts"
import { patchAccount } from "./patch.ts"
import { getAccount, getOwnAccount } from "./read.ts"

export const accountOperations: Operations<typeof accounts> = {
  getOwnAccount,
  createAccount,
  listAccounts,
  getAccount,
  patchAccount,
}
