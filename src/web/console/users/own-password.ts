import { UserReplacement } from "../../../domain/users/contract.ts"
import { html } from "../../html.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { formPage } from "../form-page.ts"

export const ownPasswordPage = formPage({
  path: "/profile/password",
  title: "Change your password",
  scope: "write:users",
  about: async ({ person }) => ({
    back: { to: "/profile", label: "Your profile" },
    intro: html`<p>Changing the password ends all sessions, including this one. Sign in again with the new password.</p>`,
    before: html`<input type="text" value="${person.username}" autocomplete="username" hidden>`,
    button: "Change the password",
  }),
  action: "change",
  fields: fieldsOf(UserReplacement, {
    password: { label: "New password", autocomplete: "new-password" },
    currentPassword: { label: "Current password", autocomplete: "current-password" },
  }),
  async submit({ call, person: { username } }, changed) {
    const { id: _id, ...record } = (await call.getUserByName({ params: { username } })).value
    // Without `password` the update would succeed and change nothing; an empty one is rejected at its field.
    const body = { ...record, password: "", ...changed }
    await call.updateUser({ params: { username }, body })
    return { to: "/", notice: "Your password was changed" }
  },
})
