import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { detail } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import type { ConsolePage } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { deletionOf, recordForm, userFacts, usernameOf } from "./user-record.ts"

export const profilePage: ConsolePage = {
  path: "/profile",
  title: "Your profile",
  scope: "read:users",
  async show(visit) {
    const called = await visit.call.getUserByName({ params: { username: usernameOf(visit) } })
    const links = html`<a class="quiet" href="${visit.root}/profile/password">Change password</a>`
    return html`${heading(visit, { title: "Your profile", badge: badge(visit.person.role), links })}
${detail(
  html`${userFacts(called.value)}
${recordForm.render(visit, { button: "Save", values: called.value, folded: "Edit" })}
${deletionOf(`${visit.root}/profile/delete`, called.value.username)}`,
)}
${apiRequest(visit, called)}`
  },
  actions: recordForm.actions,
}
