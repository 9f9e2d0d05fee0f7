import type { Consent } from "../../domain/oauth/consents/contract.ts"
import { html, type Markup } from "../html.ts"
import { describeScope } from "../oauth/scope-words.ts"
import { confirm } from "../parts/confirm.ts"
import { failureNotice } from "../parts/failure.ts"
import { pageAsked, pager } from "../parts/pager.ts"
import { postForm } from "../parts/post-form.ts"
import { time } from "../parts/time.ts"
import type { ConsolePage, Visit } from "./page.ts"

const consentsShown = 25

/** What one has allowed applications to do, and ending it. */
export const consentsPage: ConsolePage = {
  path: "/consents",
  title: "Consents",
  nav: "Consents",
  scope: "read:users",
  async show(visit) {
    const { value: consents, next } = await visit.call.listConsents({ query: pageAsked(visit.query, consentsShown) })
    return html`<h1>Consents</h1>
<p class="soft">What you have allowed applications to do for you. You are asked again after 90 days.</p>
${failureNotice(visit.failure)}
${consents.length === 0 && html`<p class="empty">You have allowed no application anything. One asks when you sign in with it. <a href="${visit.root}">Go to the overview</a>.</p>`}
<ul class="cards">${consents.map((consent) => card(visit, consent))}</ul>
${pager(visit, next)}`
  },
  actions: {
    end: {
      async run({ call }, form) {
        await call.endConsent({ params: { id: Number(form.get("consent")) } })
        return { to: "/consents", notice: "The consent was ended" }
      },
    },
  },
}

const card = (visit: Visit, { id, clientId, clientName, scopes, givenAt, expiresAt }: Consent): Markup => html`<li>
<h2>${clientName}</h2>
<p class="soft"><code>${clientId}</code></p>
<ul class="lines">${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p class="soft">Given ${time(givenAt)}, ends ${time(expiresAt)}</p>
${
  visit.scopes.has("write:users") &&
  confirm(
    `End what ${clientName} may do…`,
    "Its tokens are refused from the next request on. It may ask you again.",
    postForm(
      visit,
      html`<input type="hidden" name="consent" value="${id}"><button class="danger">End it for ${clientName}</button>`,
      { action: "end" },
    ),
  )
}</li>`
