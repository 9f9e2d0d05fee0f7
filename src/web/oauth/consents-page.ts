import type { Consent } from "../../domain/oauth/consents/contract.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { html, type Markup } from "../html.ts"
import { renderFormPage } from "./form-page.ts"
import { describeScope } from "./scope-words.ts"

type Allowed = { username: string; consents: readonly Consent[]; hasMore: boolean }

/** Shows a person what they have allowed applications to do, each with a button that ends it. */
export const consentsPage = ({ username, consents, hasMore }: Allowed, token: string): HttpResponse =>
  renderFormPage(
    {
      title: "What you have allowed · Petstore",
      root: "..",
      main: html`
<h1>What you have allowed</h1>
<p>These applications may act for you, <strong>${username}</strong>.</p>
${consents.length === 0 ? html`<p class="soft">There are none.</p>` : list(consents, token)}
${hasMore && html`<p class="soft">There are more; they are shown once you have ended some of these.</p>`}`,
    },
    [],
  )

const list = (consents: readonly Consent[], token: string): Markup => html`
<form method="post">
<input type="hidden" name="form" value="${token}">
<ul aria-label="Applications">${consents.map(item)}
</ul>
</form>`

const item = ({ id, clientName, scopes, givenAt, expiresAt }: Consent): Markup => html`
<li><strong>${clientName}</strong>
<ul class="plain">${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
<p class="soft">Since ${day(givenAt)}, until ${day(expiresAt)}</p>
<button name="end" value="${id}" class="quiet">End access for ${clientName}</button></li>`

const day = (time: string): Markup => html`<time datetime="${time}">${time.slice(0, 10)}</time>`
