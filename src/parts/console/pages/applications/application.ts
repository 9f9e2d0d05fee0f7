import { type OAuthClient, OAuthClientDraft, oauth } from "../../../../core/domain/oauth/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { copyable } from "../../../site/pages/parts/copyable.ts"
import { detail, facts } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, type Visit, withPassword } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { fieldsOf } from "../parts/fields.ts"
import { applicationWords } from "./application-words.ts"

const form = formOf({
  action: "save",
  fields: fieldsOf(OAuthClientDraft, {
    ...applicationWords,
    type: { hidden: "it is chosen at the registration and never changes" },
  }).patching(oauth.updateOAuthClient.body),
  async submit(visit, body) {
    const { value: client } = await visit.call.updateOAuthClient({ params: { id: idOf(visit) }, body })
    return { to: `/applications/${client.id}`, notice: `${client.name} was saved` }
  },
})

export const applicationPage: ConsolePage = {
  path: "/applications/:applicationId",
  title: "Application",
  scope: "manage:keys",
  asks: { rotate: withPassword("Rotate the secret"), delete: withPassword("Delete the application") },
  async show(visit) {
    const called = await visit.call.getOAuthClient({ params: { id: idOf(visit) } })
    const { value: client } = called
    return html`${heading(visit, { title: client.name, badge: badge(client.type) })}
${detail(
  html`${clientFacts(visit, client)}
${form.render(visit, { button: "Save", values: client, folded: "Edit" })}
${confirm(visit, {
  summary: "Delete this application…",
  warning: "All consents given to it end, and its tokens are refused from now on.",
  action: "delete",
  label: `Delete ${client.name}`,
})}`,
  client.type === "confidential" &&
    html`<h2>Secret</h2>
<p>The new secret is shown once. The old secret works for another 24 hours; rotating again revokes it immediately.</p>
<div class="doings">${actionButton(visit, { action: "rotate", label: "Rotate the secret", variant: "quiet" })}</div>`,
)}
${apiRequest(visit, called)}`
  },
  actions: {
    ...form.actions,
    async rotate(visit) {
      const { value: client } = await visit.call.rotateOAuthClientSecret({ params: { id: idOf(visit) } })
      return shownOnce({
        heading: `${client.name} has a new secret`,
        texts: { "Client secret": client.clientSecret ?? "" },
        advice: "The old secret works for another 24 hours.",
        to: { href: visit.root + visit.path, label: "Go to the application" },
      })
    },
    async delete(visit) {
      await visit.call.deleteOAuthClient({ params: { id: idOf(visit) } })
      return { to: "/applications", notice: "The application was deleted" }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.applicationId)

const clientFacts = (visit: Visit, client: OAuthClient): Markup =>
  facts({
    Id: client.id,
    "Client id": copyable(client.clientId, "the client id"),
    "Redirect URIs": html`${client.redirectUris.map((uri) => html`<code>${uri}</code> `)}`,
    Scopes: html`${client.scopes.map((scope) => html`<code>${scope}</code> `)}`,
    "ID tokens": client.idTokenSignedResponseAlg,
    Registered: timeWithAge(visit, client.createdAt),
    Expires:
      client.expiresAt === undefined
        ? undefined
        : html`${timeWithAge(visit, client.expiresAt)}, with the key that registered it`,
    "Allowed addresses": client.allowedCidrs && html`${client.allowedCidrs.map((cidr) => html`<code>${cidr}</code> `)}`,
  })
