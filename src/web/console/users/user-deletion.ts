import { Type } from "../../../kernel/schema/type.ts"
import { html } from "../../html.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { formPage } from "../form-page.ts"
import type { Visit } from "../page.ts"
import { ownPassword, userPath } from "./user-record.ts"

const Deletion = Type.Object({ currentPassword: Type.String({ format: "password", maxLength: 128 }) })

const shared = {
  scope: "write:users",
  action: "delete",
  fields: fieldsOf(Deletion, { currentPassword: ownPassword }),
  look: "danger",
} as const

const about = (username: string, back: { to: string; words: string }) => ({
  back,
  title: `Delete ${username}`,
  intro: html`<p>Everything that tells of the person is erased, and every session ends. Orders stay. This cannot be taken back.</p>`,
  button: `Delete ${username} for good`,
})

/** Deletes somebody, as staff. */
export const userDeletionPage = formPage({
  ...shared,
  path: "/users/named/:username/delete",
  title: "Delete a user",
  forStaff: true,
  async about({ call, params: { username = "" } }) {
    const { value: user } = await call.getUserByName({ params: { username } })
    return about(user.username, { to: userPath(user.username), words: user.username })
  },
  async submit({ call, params: { username = "" } }, body) {
    await call.deleteUser({ params: { username }, body })
    return { to: "/users", notice: `${username} was deleted` }
  },
})

/** Deletes whoever looks. */
export const ownDeletionPage = formPage({
  ...shared,
  path: "/profile/delete",
  title: "Delete your user",
  about: async ({ person }: Visit) => about(person.username, { to: "/profile", words: "Your profile" }),
  async submit({ call, person: { username } }, body) {
    await call.deleteUser({ params: { username }, body })
    return { to: "/", notice: "You were deleted" }
  },
})
