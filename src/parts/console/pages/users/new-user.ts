import { UserDraft } from "../../../../core/domain/users/contract.ts"
import { Problem } from "../../../../core/kernel/problem.ts"
import { html } from "../../../site/pages/html.ts"
import { formPage } from "../form-page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { profileWords, userPath } from "./user-record.ts"

/** Creates a user, also where self-registration is disabled. */
export const newUserPage = formPage({
  path: "/users/new",
  title: "Add a user",
  scope: "write:users",
  forStaff: true,
  about: {
    intro: html`<p class="soft">New users have the role customer and an account of their own.</p>`,
    button: "Add the user",
  },
  action: "add",
  fields: fieldsOf(UserDraft, {
    id: { hidden: "the service chooses it" },
    username: { label: "Username", hint: "Letters, digits, dot, underscore and hyphen.", autocomplete: "off" },
    password: { label: "Password", hint: "The user can change it in the console.", autocomplete: "new-password" },
    ...profileWords,
    userStatus: { hidden: "the service does not use it" },
  }),
  async submit({ call }, body) {
    const { value } = await call.createUsersWithListInput({ body: [body] }).catch(asIfAlone)
    const username = value[0]?.username ?? ""
    return { to: userPath(username), notice: `${username} was added` }
  },
})

/** The operation takes a list: removes the index of its only item from pointers and messages. */
function asIfAlone(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const violations = error.violations.map((each) =>
    "pointer" in each ? { ...each, pointer: each.pointer.replace(/^\/0(?=\/)/, "") } : each,
  )
  throw new Problem(error.code, error.detail.replace(/^0\./, ""), { violations, retryAfter: error.retryAfter })
}
