import { UserDraft } from "../../../domain/users/contract.ts"
import { Problem } from "../../../kernel/problem.ts"
import { html } from "../../html.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { formPage } from "../form-page.ts"
import { profileWords, userPath } from "./user-record.ts"

/** Registers somebody else, also where people cannot register themselves. */
export const newUserPage = formPage({
  path: "/users/new",
  title: "Add a user",
  scope: "write:users",
  forStaff: true,
  about: {
    intro: html`<p class="soft">They begin as a customer, with an account of their own.</p>`,
    button: "Add the user",
  },
  action: "add",
  fields: fieldsOf(UserDraft, {
    username: { label: "Username", hint: "Letters, digits, dot, underscore and hyphen.", autocomplete: "off" },
    password: { label: "Password", hint: "They can change it in the console.", autocomplete: "new-password" },
    ...profileWords,
  }),
  async submit({ call }, body) {
    const { value } = await call.createUsersWithListInput({ body: [body] }).catch(asIfAlone)
    const username = value[0]?.username ?? ""
    return { to: userPath(username), notice: `${username} was added` }
  },
})

/** What is wrong with the only one of a list is wrong with a field of the form. */
function asIfAlone(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const violations = error.violations.map((each) =>
    "pointer" in each ? { ...each, pointer: each.pointer.replace(/^\/0(?=\/)/, "") } : each,
  )
  throw new Problem(error.code, error.detail.replace(/^0\./, ""), { violations, retryAfter: error.retryAfter })
}
