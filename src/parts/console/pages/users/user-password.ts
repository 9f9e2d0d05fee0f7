import { users } from "../../../../core/domain/users/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { formPage } from "../form-page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { ownPassword, recordOf, usernameOf, userPath } from "./user-record.ts"

export const userPasswordPage = formPage({
  path: "/users/named/:username/password",
  title: "Reset password",
  scope: "write:users",
  forStaff: true,
  async about(visit) {
    const { value: user } = await visit.call.getUserByName({ params: { username: usernameOf(visit) } })
    return {
      back: recordOf(visit),
      title: `Reset the password of ${user.username}`,
      intro: html`<p>Resetting the password ends all sessions and consents of this user.</p>`,
      button: "Reset the password",
    }
  },
  action: "reset",
  fields: fieldsOf(users.resetPassword.body, {
    password: { label: "New password", hint: "Share it with this user only.", autocomplete: "new-password" },
    currentPassword: ownPassword,
  }),
  async submit({ call, params: { username = "" } }, body) {
    await call.resetPassword({ params: { username }, body })
    return { to: userPath(username), notice: `${username} has a new password` }
  },
})
