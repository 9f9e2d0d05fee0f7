import { type User, UserReplacement } from "../../domain/users/contract.ts"
import { html, type Markup } from "../html.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import type { Visit } from "./page.ts"

/** What the fields of a person are called. */
export const profileWords = {
  firstName: { label: "First name", autocomplete: "off" },
  lastName: { label: "Last name", autocomplete: "off" },
  email: { label: "E-mail", autocomplete: "off" },
  phone: { label: "Phone", autocomplete: "off" },
}

/** Where somebody's page is, apart from the pages whose names could be theirs. */
export const userPath = (username: string): `/${string}` => `/users/named/${encodeURIComponent(username)}`

const fields = fieldsOf(UserReplacement, {
  username: { label: "Username", autocomplete: "off" },
  ...profileWords,
  currentPassword: {
    label: "Your own password",
    hint: "Needed to change username or e-mail.",
    autocomplete: "current-password",
  },
})

/** A form for somebody's record. */
export const recordForm = (visit: Visit, user: User): Markup =>
  postForm(
    visit,
    html`${fields.render({ values: user, failure: visit.failure })}
<button>Save</button>`,
    { action: "save" },
  )

/** Saves the record of a user as the form has it; what the form does not show stays as it is. */
export async function saveRecord({ call }: Visit, username: string, form: URLSearchParams): Promise<User> {
  const { value: user } = await call.getUserByName({ params: { username } })
  const body = { ...fields.read(form), userStatus: user.userStatus }
  return (await call.updateUser({ params: { username }, body })).value
}
