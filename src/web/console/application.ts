import { type OAuthClient, OAuthClientDraft } from "../../domain/oauth/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { confirm } from "../parts/confirm.ts"
import { copyable } from "../parts/copyable.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import { time } from "../parts/time.ts"
import { applicationWords } from "./application-words.ts"
import type { ConsolePage, Visit } from "./page.ts"

const fields = fieldsOf(OAuthClientDraft, applicationWords)

/** An OAuth client: changing it, its secret, and deleting it. */
export const applicationPage: ConsolePage = {
  path: "/applications/:applicationId",
  title: "Application",
  scope: "manage:keys",
  async show(visit) {
    const { value: client } = await visit.call.getOAuthClient({ params: { id: idOf(visit) } })
    return html`<p class="back"><a href="${visit.root}/applications">All applications</a></p>
<div class="heading"><h1>${client.name}</h1>${badge(client.type)}</div>
${failureNotice(visit.failure)}
${facts(client)}
${postForm(
  visit,
  html`${fields.render({ values: client, failure: visit.failure, only: { scopes: [...visit.scopes] } })}
<button>Save</button>`,
  { action: "save" },
)}
${client.type === "confidential" && rotation(visit)}
${confirm(
  "Delete this application…",
  "Whatever people allowed it ends, and its tokens are refused from the next request on.",
  postForm(visit, html`<button class="danger">Delete ${client.name}</button>`, { action: "delete" }),
)}`
  },
  actions: {
    save: {
      async run(visit, form) {
        const params = { id: idOf(visit) }
        const { value: client } = await visit.call.updateOAuthClient({ params, body: fields.read(form) })
        return { to: `/applications/${client.id}`, notice: `${client.name} was saved` }
      },
    },
    rotate: {
      asksPassword: true,
      async run(visit) {
        const { value: client } = await visit.call.rotateOAuthClientSecret({ params: { id: idOf(visit) } })
        return {
          show: shownOnce({
            heading: `${client.name} has a new secret`,
            texts: { "Client secret": client.clientSecret ?? "" },
            advice: "The old one goes on working for 24 hours.",
            to: { href: visit.root + visit.path, words: "Go to the application" },
          }),
        }
      },
    },
    delete: {
      asksPassword: true,
      async run(visit) {
        await visit.call.deleteOAuthClient({ params: { id: idOf(visit) } })
        return { to: "/applications", notice: "The application was deleted" }
      },
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.applicationId)

const facts = ({ id, clientId, createdAt, expiresAt, allowedCidrs }: OAuthClient): Markup => html`<dl>
<dt>Id</dt><dd>${id}</dd>
<dt>Client id</dt><dd>${copyable(clientId, "the client id")}</dd>
<dt>Registered</dt><dd>${time(createdAt)}</dd>
${expiresAt !== undefined && html`<dt>Expires</dt><dd>${time(expiresAt)}, with the key that registered it</dd>`}
${allowedCidrs && html`<dt>From</dt><dd>${allowedCidrs.map((cidr) => html`<code>${cidr}</code> `)}</dd>`}
</dl>`

const rotation = (visit: Visit): Markup => html`<h2>Secret</h2>
<p>A new one is shown once. The old one goes on working for 24 hours; rotating again ends it at once.</p>
<div class="doings">${postForm(visit, html`<button class="quiet">Rotate the secret</button>`, { action: "rotate" })}</div>`
