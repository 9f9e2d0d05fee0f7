import { accounts } from "../../../domain/accounts/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"

/** The fields of an account, to open and to change one. */
export const accountFields = fieldsOf(accounts.createAccount.body, { name: { label: "Name" }, plan: { label: "Plan" } })
