import { type User, UserReplacement } from "../../../domain/users/contract.ts"
import type { Markup } from "../../html.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { formOf } from "../form.ts"
import type { Visit } from "../page.ts"

/** What the fields of a person are called. */
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

const fields = fieldsOf(UserReplacement, {
  username: { label: "Username", autocomplete: "off" },
  ...profileWords,
  currentPassword: { ...ownPassword, hint: "Needed to change username or e-mail." },
})

type Named = {
  nameOf(visit: Visit): string
  saved(user: User): { to: `/${string}`; notice: string }
}

/** A form for a user's record. What it does not show stays as it is. */
export function recordForm({ nameOf, saved }: Named) {
  const { render, actions } = formOf({
    action: "save",
    fields,
    async submit(visit, body) {
      const username = nameOf(visit)
      const { value: user } = await visit.call.getUserByName({ params: { username } })
      const changed = { ...body, userStatus: user.userStatus }
      return saved((await visit.call.updateUser({ params: { username }, body: changed })).value)
    },
  })
  return { actions, render: (visit: Visit, user: User): Markup => render(visit, { button: "Save", values: user }) }
}
