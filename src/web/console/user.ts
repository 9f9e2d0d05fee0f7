import { type Role, roleNames } from "../../domain/scopes.ts"
import type { User } from "../../domain/users/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import type { ConsolePage, Visit } from "./page.ts"
import { recordForm, saveRecord, userPath } from "./user-record.ts"

/** Somebody's record, their role and what staff do for them. */
export const userPage: ConsolePage = {
  path: "/users/named/:username",
  title: "User",
  scope: "read:users",
  forStaff: true,
  async show(visit) {
    const { root, scopes } = visit
    const { value: user } = await visit.call.getUserByName({ params: { username: nameOf(visit) } })
    return html`<p class="back"><a href="${root}/users">All users</a></p>
<div class="heading"><h1>${user.username}</h1>
${badge(user.role)}
<p class="actions"><a class="quiet" href="${root}${userPath(user.username)}/password">Reset password</a>
<a class="quiet" href="${root}${userPath(user.username)}/delete">Delete</a></p></div>
${failureNotice(visit.failure)}
${recordForm(visit, user)}
${scopes.has("admin") && roleForm(visit, user)}`
  },
  actions: {
    save: {
      async run(visit, form) {
        const { username } = await saveRecord(visit, nameOf(visit), form)
        return { to: userPath(username), notice: `${username} was saved` }
      },
    },
    grant: {
      asksPassword: true,
      async run({ call, params }, form) {
        const given = { username: params.username ?? "", role: (form.get("role") ?? "") as Role }
        const { value: user } = await call.grantRole({ params: given })
        return { to: userPath(user.username), notice: `${user.username} is ${user.role} now` }
      },
    },
  },
}

const nameOf = ({ params }: Visit): string => params.username ?? ""

const roleForm = (visit: Visit, user: User): Markup => html`<h2>Role</h2>
<p class="soft">It bounds what their sessions, keys and applications may do, from their next request on.</p>
${postForm(
  visit,
  html`<label for="role">Role</label>
<select id="role" name="role">${roleNames.map(
    (role) => html`<option${role === user.role && html` selected`}>${role}</option>`,
  )}</select>
<button>Change the role</button>`,
  { action: "grant" },
)}`
