import { html } from "../../html.ts"
import { apiRequest } from "../../parts/api-request.ts"
import { badge } from "../../parts/badge.ts"
import { heading } from "../../parts/heading.ts"
import type { ConsolePage } from "../page.ts"
import { recordForm, usernameOf } from "./user-record.ts"

export const profilePage: ConsolePage = {
  path: "/profile",
  title: "Your profile",
  scope: "read:users",
  async show(visit) {
    const called = await visit.call.getUserByName({ params: { username: usernameOf(visit) } })
    const links = html`<a class="quiet" href="${visit.root}/profile/password">Change password</a>
<a class="quiet" href="${visit.root}/profile/delete">Delete</a>`
    return html`${heading(visit, { title: "Your profile", badge: badge(visit.person.role), links })}
${recordForm.render(visit, { button: "Save", values: called.value })}
${apiRequest(visit, called)}`
  },
  actions: recordForm.actions,
}
