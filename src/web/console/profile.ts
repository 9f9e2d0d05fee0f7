import { html } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { failureNotice } from "../parts/failure.ts"
import type { ConsolePage } from "./page.ts"
import { recordForm, saveRecord } from "./user-record.ts"

/** The record of whoever looks. */
export const profilePage: ConsolePage = {
  path: "/profile",
  title: "Your profile",
  nav: "Your profile",
  scope: "read:users",
  async show(visit) {
    const { value: user } = await visit.call.getUserByName({ params: { username: visit.person.username } })
    return html`<div class="heading"><h1>Your profile</h1>
${badge(user.role)}
<p class="actions"><a class="quiet" href="${visit.root}/profile/password">Change password</a>
<a class="quiet" href="${visit.root}/profile/delete">Delete</a></p></div>
${failureNotice(visit.failure)}
${recordForm(visit, user)}`
  },
  actions: {
    save: {
      async run(visit, form) {
        await saveRecord(visit, visit.person.username, form)
        return { to: "/profile", notice: "Your profile was saved" }
      },
    },
  },
}
