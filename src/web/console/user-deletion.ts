import { html, type Markup } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage, Visit } from "./page.ts"
import { userPath } from "./user-record.ts"

/** Deletes somebody, as staff. */
export const userDeletionPage: ConsolePage = {
  path: "/users/named/:username/delete",
  title: "Delete a user",
  scope: "write:users",
  forStaff: true,
  async show(visit) {
    const { value: user } = await visit.call.getUserByName({ params: { username: visit.params.username ?? "" } })
    return deletionForm(visit, user.username, { to: userPath(user.username), word: user.username })
  },
  actions: {
    delete: {
      async run(visit, form) {
        const username = visit.params.username ?? ""
        await deleteUser(visit, username, form)
        return { to: "/users", notice: `${username} was deleted` }
      },
    },
  },
}

/** Deletes whoever looks. */
export const ownDeletionPage: ConsolePage = {
  path: "/profile/delete",
  title: "Delete your user",
  scope: "write:users",
  show: async (visit) => deletionForm(visit, visit.person.username, { to: "/profile", word: "Your profile" }),
  actions: {
    delete: {
      async run(visit, form) {
        await deleteUser(visit, visit.person.username, form)
        return { to: "/", notice: "You were deleted" }
      },
    },
  },
}

const deletionForm = (visit: Visit, username: string, back: { to: string; word: string }): Markup =>
  html`<p class="back"><a href="${visit.root}${back.to}">${back.word}</a></p>
<h1>Delete ${username}</h1>
<p>Everything that tells of the person is erased, and every session ends. Orders stay. This cannot be taken back.</p>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`<label for="currentPassword">Your own password</label>
<input id="currentPassword" name="currentPassword" type="password" required maxlength="128" autocomplete="current-password">
<button class="danger">Delete ${username} for good</button>`,
  { action: "delete" },
)}`

const deleteUser = ({ call }: Visit, username: string, form: URLSearchParams) =>
  call.deleteUser({ params: { username }, body: { currentPassword: form.get("currentPassword") ?? "" } })
