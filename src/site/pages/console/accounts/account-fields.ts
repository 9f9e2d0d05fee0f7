import { accounts } from "../../../../domain/accounts/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"

/** Of an account with a well-known key, whose plan is what documents say. */
export const accountNameField = fieldsOf(accounts.createAccount.body, {
  name: { label: "Name" },
  plan: { hidden: "the account has a well-known key of the sandbox" },
})

export const accountFields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
