import { UserReplacement } from "../../../../core/domain/users/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { formPage } from "../form-page.ts"
import { fieldsOf } from "../parts/fields.ts"

const kept = { hidden: "the form of the record changes it" }

const fields = fieldsOf(UserReplacement, {
  id: kept,
  username: kept,
  firstName: kept,
  lastName: kept,
  email: kept,
  phone: kept,
  password: { label: "New password", autocomplete: "new-password" },
  userStatus: kept,
  currentPassword: { label: "Current password", autocomplete: "current-password" },
})

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
  fields,
  async submit({ call, person: { username } }, changed) {
    const { value: user } = await call.getUserByName({ params: { username } })
    // Without `password` the update would succeed and change nothing; an empty one is rejected at its field.
    const body = { ...fields.unshown(user), password: "", ...changed }
    await call.updateUser({ params: { username }, body })
    return { to: "/", notice: "Your password was changed" }
  },
})
