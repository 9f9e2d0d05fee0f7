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

/** The password of the person who sends a form. */
export const ownPassword = { label: "Your own password", autocomplete: "current-password" }

/** Where somebody's page is, apart from the pages whose names could be theirs. */
export const userPath = (username: string): `/${string}` => `/users/named/${encodeURIComponent(username)}`

/** The user that a page is about: the one its path names, or the person who looks. */
export const usernameOf = ({ params, person }: Visit): string => params.username ?? person.username

/** The page of the user that a page is about. */
export const recordOf = ({ params: { username } }: Visit): { to: `/${string}`; words: string } =>
  username === undefined ? { to: "/profile", words: "Your profile" } : { to: userPath(username), words: username }

/** A form for a user's record. What it does not show stays as it is. */
export const recordForm = formOf({
  action: "save",
  fields: fieldsOf(UserReplacement, {
    username: { label: "Username", autocomplete: "off" },
    ...profileWords,
    currentPassword: { ...ownPassword, hint: "Needed to change username or e-mail." },
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
