import { users } from "../../domain/users/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage } from "./page.ts"
import { userPath } from "./user-record.ts"

/** Gives somebody a new password who has forgotten theirs. */
export const userPasswordPage: ConsolePage = {
  path: "/users/named/:username/password",
  title: "Reset password",
  scope: "write:users",
  forStaff: true,
  async show(visit) {
    const { value: user } = await visit.call.getUserByName({ params: { username: visit.params.username ?? "" } })
    return html`<p class="back"><a href="${visit.root}${userPath(user.username)}">${user.username}</a></p>
<h1>Reset the password of ${user.username}</h1>
<p>It ends all their sessions, and what applications may do for them.</p>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ failure: visit.failure })}
<button>Reset the password</button>`,
  { action: "reset" },
)}`
  },
  actions: {
    reset: {
      async run({ call, params: { username = "" } }, form) {
        await call.resetPassword({ params: { username }, body: fields.read(form) })
        return { to: userPath(username), notice: `${username} has a new password` }
      },
    },
  },
}

const fields = fieldsOf(users.resetPassword.body, {
  password: { label: "New password", hint: "Tell it to nobody else but them.", autocomplete: "new-password" },
  currentPassword: { label: "Your own password", autocomplete: "current-password" },
})
