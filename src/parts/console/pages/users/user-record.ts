import { type User, UserReplacement } from "../../../../core/domain/users/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { facts } from "../../../site/pages/parts/detail.ts"
import { formOf } from "../form.ts"
import type { Visit } from "../page.ts"
import { fieldsOf } from "../parts/fields.ts"

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

export const recordOf = ({ params: { username } }: Visit): { to: `/${string}`; label: string } =>
  username === undefined ? { to: "/profile", label: "Your profile" } : { to: userPath(username), label: username }

const fields = fieldsOf(UserReplacement, {
  id: { hidden: "it never changes" },
  username: { label: "Username", autocomplete: "off" },
  ...profileWords,
  password: { hidden: "it has a page of its own" },
  userStatus: { hidden: "the service does not use it" },
  currentPassword: { ...ownPassword, hint: "Required to change username or e-mail." },
})

/** Fields that the form does not contain are unchanged. */
export const recordForm = formOf({
  action: "save",
  fields,
  async submit(visit, body) {
    const params = { username: usernameOf(visit) }
    // The API has no patch for users.
    const { value: user } = await visit.call.getUserByName({ params })
    const { value } = await visit.call.updateUser({ params, body: { ...fields.unshown(user), ...body } })
    return visit.params.username === undefined
      ? { to: "/profile", notice: "Your profile was saved" }
      : { to: userPath(value.username), notice: `${value.username} was saved` }
  },
})

export const userFacts = ({ id, username, firstName, lastName, email, phone }: User): Markup =>
  facts({
    Id: id,
    Username: username,
    Name: [firstName, lastName].filter(Boolean).join(" ") || undefined,
    "E-mail": email,
    Phone: phone,
  })

/** Leads to the page that asks for the password. */
export const deletionOf = (href: string, username: string): Markup =>
  html`<details class="confirm"><summary>Delete this user…</summary>
<p>${username} and all personal data are erased, and all sessions end. Orders are kept.</p>
<p><a class="danger" href="${href}">Delete ${username}</a></p>
</details>`
