import { accounts } from "../../../../core/domain/accounts/contract.ts"
import { aKnownKey } from "../keys/key-state.ts"
import { fieldsOf } from "../parts/fields.ts"

/** Of an account with a well-known key, whose plan is what documents say. */
export const accountNameField = fieldsOf(accounts.createAccount.body, {
  name: { label: "Name" },
  plan: { hidden: `the account has ${aKnownKey}` },
})

export const accountFields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
