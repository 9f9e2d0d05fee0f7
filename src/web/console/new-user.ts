import { UserDraft } from "../../domain/users/contract.ts"
import { Problem } from "../../kernel/problem.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage } from "./page.ts"
import { profileWords, userPath } from "./user-record.ts"

/** Registers somebody else, also where people cannot register themselves. */
export const newUserPage: ConsolePage = {
  path: "/users/new",
  title: "Add a user",
  scope: "write:users",
  forStaff: true,
  show: async (visit) => html`<p class="back"><a href="${visit.root}/users">All users</a></p>
<h1>Add a user</h1>
<p class="soft">They begin as a customer, with an account of their own.</p>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ failure: visit.failure })}
<button>Add the user</button>`,
  { action: "add" },
)}`,
  actions: {
    add: {
      async run({ call }, form) {
        const { value } = await call.createUsersWithListInput({ body: [fields.read(form)] }).catch(asIfAlone)
        const username = value[0]?.username ?? ""
        return { to: userPath(username), notice: `${username} was added` }
      },
    },
  },
}

const fields = fieldsOf(UserDraft, {
  username: { label: "Username", hint: "Letters, digits, dot, underscore and hyphen.", autocomplete: "off" },
  password: { label: "Password", hint: "They can change it in the console.", autocomplete: "new-password" },
  ...profileWords,
})

/** What is wrong with the only one of a list is wrong with a field of the form. */
function asIfAlone(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const violations = error.violations.map((each) =>
    "pointer" in each ? { ...each, pointer: each.pointer.replace(/^\/0(?=\/)/, "") } : each,
  )
  throw new Problem(error.code, error.detail.replace(/^0\./, ""), { violations, retryAfter: error.retryAfter })
}
