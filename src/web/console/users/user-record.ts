import { UserReplacement } from "../../../domain/users/contract.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { formOf } from "../form.ts"
import type { Visit } from "../page.ts"

export const profileWords = {
  firstName: { label: "First name", autocomplete: "off" },
  lastName: { label: "Last name", autocomplete: "off" },
  email: { label: "E-mail", autocomplete: "off" },
  phone: { label: "Phone", autocomplete: "off" },
}

/** The password of the user who submits the form. */
export const ownPassword = { label: "Your own password", autocomplete: "current-password" }

/** The path of a user's page. `named` separates usernames from paths such as `/users/new`. */
export const userPath = (username: string): `/${string}` => `/users/named/${encodeURIComponent(username)}`

/** The user that the path names, or the signed-in user. */
export const usernameOf = ({ params, person }: Visit): string => params.username ?? person.username

/** A link to that user's page. */
export const recordOf = ({ params: { username } }: Visit): { to: `/${string}`; label: string } =>
  username === undefined ? { to: "/profile", label: "Your profile" } : { to: userPath(username), label: username }

/** The form of a user's record. Fields that it does not contain are unchanged. */
export const recordForm = formOf({
  action: "save",
  fields: fieldsOf(UserReplacement, {
    username: { label: "Username", autocomplete: "off" },
    ...profileWords,
    currentPassword: { ...ownPassword, hint: "Required to change username or e-mail." },
  }),
  async submit(visit, body) {
    const params = { username: usernameOf(visit) }
    const { value: user } = await visit.call.getUserByName({ params })
    const { value } = await visit.call.updateUser({ params, body: { ...body, userStatus: user.userStatus } })
    return visit.params.username === undefined
      ? { to: "/profile", notice: "Your profile was saved" }
      : { to: userPath(value.username), notice: `${value.username} was saved` }
  },
})
