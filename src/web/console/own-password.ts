import { UserReplacement } from "../../domain/users/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage } from "./page.ts"

/** Changes the password of whoever looks. */
export const ownPasswordPage: ConsolePage = {
  path: "/profile/password",
  title: "Change your password",
  scope: "write:users",
  show: async (visit) => html`<p class="back"><a href="${visit.root}/profile">Your profile</a></p>
<h1>Change your password</h1>
<p>It ends every session, this one too: sign in again with the new one.</p>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`<input type="text" value="${visit.person.username}" autocomplete="username" hidden>
${fields.render({ failure: visit.failure })}
<button>Change the password</button>`,
  { action: "change" },
)}`,
  actions: {
    change: {
      async run({ call, person: { username } }, form) {
        const { id: _id, role: _role, ...record } = (await call.getUserByName({ params: { username } })).value
        // Without a new password nothing would change; an empty one is refused beside its field.
        const body = { ...record, password: "", ...fields.read(form) }
        await call.updateUser({ params: { username }, body })
        return { to: "/", notice: "Your password was changed" }
      },
    },
  },
}

const fields = fieldsOf(UserReplacement, {
  password: { label: "New password", autocomplete: "new-password" },
  currentPassword: { label: "Current password", autocomplete: "current-password" },
})
