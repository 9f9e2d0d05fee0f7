import { accounts } from "../../../../domain/accounts/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"

export const accountFields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
