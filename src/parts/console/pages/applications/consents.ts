import type { Consent } from "../../../../core/domain/oauth/consents/contract.ts"
import { describeScope } from "../../../oauth/pages/scope-words.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { listPage } from "../list-page.ts"
import type { Visit } from "../page.ts"

export const consentsPage = listPage({
  path: "/consents",
  title: "Consents",
  scope: "read:users",
  intro: () => html`<p class="soft">Applications that may act on your behalf. A consent ends after 90 days.</p>`,
  find: ({ call }, query) => call.listConsents({ query }),
  show: (visit, consents) =>
    consents.length === 0
      ? html`<p class="empty">You have given no consents. An application requests consent when you sign in with it. <a href="${visit.root}">Go to the overview</a>.</p>`
      : html`<ul class="cards">${consents.map((consent) => card(visit, consent))}</ul>`,
  actions: {
    async end({ call }, form) {
      await call.endConsent({ params: { id: Number(form.get("consent")) } })
      return { to: "/consents", notice: "The consent was revoked" }
    },
  },
})

const card = (visit: Visit, { id, clientId, clientName, scopes, givenAt, expiresAt }: Consent): Markup => html`<li>
<h2><bdi>${clientName}</bdi></h2>
<p class="soft"><code>${clientId}</code></p>
<ul class="lines">${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p class="soft">Given ${timeWithAge(visit, givenAt)}, ends ${timeWithAge(visit, expiresAt)}</p>
${
  visit.scopes.has("write:users") &&
  confirm(visit, {
    summary: `Revoke the consent for ${clientName}…`,
    warning: "Its tokens are refused from now on. It may request consent again.",
    action: "end",
    label: `Revoke the consent for ${clientName}`,
    fields: { consent: id },
  })
}</li>`
