import type { Consent } from "../../domain/oauth/consents/contract.ts"
import { words } from "./consent-page.ts"
import { escaped, page } from "./pages.ts"

/** Shows a person what they have allowed applications to do, each with a button that takes it back. */
export const consentsPage = (username: string, consents: readonly Consent[], more: boolean, token: string): string =>
  page(
    "What you have allowed",
    `<h1>What you have allowed</h1>
<p>These applications may act for you, <strong>${escaped(username)}</strong>.</p>
${consents.length === 0 ? '<p class="soft">There is none.</p>' : listOf(consents, token)}
${more ? '<p class="soft">There are more; they are shown once some of these have ended.</p>' : ""}`,
  )

const listOf = (consents: readonly Consent[], token: string): string =>
  `<form method="post">
<input type="hidden" name="form" value="${token}">
<ul aria-label="Applications">
${consents.map(itemOf).join("\n")}
</ul>
</form>`

const itemOf = ({ id, clientName, scopes, givenAt, expiresAt }: Consent): string =>
  `<li><strong>${escaped(clientName)}</strong>
<p>${scopes.map((scope) => escaped(words[scope] ?? scope)).join("<br>")}</p>
<p class="soft">Since ${dayOf(givenAt)}, until ${dayOf(expiresAt)}</p>
<button name="end" value="${id}" class="quiet">End what ${escaped(clientName)} may do</button></li>`

const dayOf = (time: string): string => `<time datetime="${time}">${time.slice(0, 10)}</time>`
