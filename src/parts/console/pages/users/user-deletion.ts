import { Type } from "../../../../core/kernel/schema/type.ts"
import { html } from "../../../site/pages/html.ts"
import { formPage } from "../form-page.ts"
import type { ConsolePage } from "../page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { ownPassword, recordOf, usernameOf } from "./user-record.ts"

const Deletion = Type.Object({ currentPassword: Type.String({ format: "password", maxLength: 128 }) })

const deletionPage = (page: Pick<ConsolePage, "path" | "title" | "forStaff">) =>
  formPage({
    ...page,
    scope: "write:users",
    action: "delete",
    fields: fieldsOf(Deletion, { currentPassword: ownPassword }),
    async about(visit) {
      const { username } = (await visit.call.getUserByName({ params: { username: usernameOf(visit) } })).value
      return {
        back: recordOf(visit),
        title: `Delete ${username}`,
        intro: html`<p>All personal data is erased and all sessions end. Orders are kept. This cannot be undone.</p>`,
        variant: "danger",
        button: `Delete ${username} for good`,
      }
    },
    async submit(visit, body) {
      const username = usernameOf(visit)
      await visit.call.deleteUser({ params: { username }, body })
      return visit.params.username === undefined
        ? { to: "/", notice: "Your user was deleted" }
        : { to: "/users", notice: `${username} was deleted` }
    },
  })

export const userDeletionPage = deletionPage({
  path: "/users/named/:username/delete",
  title: "Delete a user",
  forStaff: true,
})
export const ownDeletionPage = deletionPage({ path: "/profile/delete", title: "Delete your user" })
