import { users } from "../../../../core/domain/users/contract.ts"
import { Type } from "../../../../core/kernel/schema/type.ts"
import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { detail } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, withPassword } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { fieldsOf } from "../parts/fields.ts"
import { deletionOf, ownPassword, recordForm, userFacts, usernameOf, userPath } from "./user-record.ts"

const roleForm = formOf({
  action: "grant",
  fields: fieldsOf(Type.Object({ role: users.grantRole.params.properties.role, ...users.grantRole.body.properties }), {
    role: { label: "Role" },
    currentPassword: { ...ownPassword, hint: "Required for the role admin." },
  }),
  async submit(visit, { role, ...body }) {
    const params = { username: usernameOf(visit), role }
    const { value: granted } = await visit.call.grantRole({ params, body })
    return { to: userPath(granted.username), notice: `${granted.username} has the role ${granted.role}` }
  },
})

export const userPage: ConsolePage = {
  path: "/users/named/:username",
  title: "User",
  scope: "read:users",
  forStaff: true,
  asks: { grant: withPassword("Change the role") },
  async show(visit) {
    const params = { username: usernameOf(visit) }
    const called = await visit.call.getUserByName({ params })
    const { value: user } = called
    const { value: held } = await visit.call.getRole({ params })
    const path = visit.root + userPath(user.username)
    const links = html`<a class="quiet" href="${path}/password">Reset password</a>`
    return html`${heading(visit, { title: user.username, badge: badge(held.role), links })}
${detail(
  html`${userFacts(user)}
${recordForm.render(visit, { button: "Save", values: user, folded: "Edit" })}
${deletionOf(`${path}/delete`, user.username)}`,
  visit.scopes.has("admin") &&
    html`<h2>Role</h2>
<p class="soft">The role limits the scopes of the user’s sessions, keys and applications, effective from their next request.</p>
${roleForm.render(visit, { button: "Change the role", values: held })}`,
)}
${apiRequest(visit, called)}`
  },
  actions: { ...recordForm.actions, ...roleForm.actions },
}
