import { KeyDraft } from "../../domain/keys/contract.ts"
import { scopes } from "../../domain/scopes.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import type { ConsolePage } from "./page.ts"

const fields = fieldsOf(KeyDraft, {
  name: { label: "Name", hint: "What it is for, such as “nightly import”." },
  scopes: { label: "It may", choices: scopes },
  expiresAt: { label: "Expires", hint: "In UTC. Never, when left empty." },
  allowedCidrs: {
    label: "Addresses",
    hint: "Blocks it may be used from, one a line, such as 203.0.113.0/24. Any, when left empty.",
  },
  accountId: { label: "Account", hint: "Its number. Your own, when left empty." },
})

/** Creates an API key, which is shown once. */
export const newKeyPage: ConsolePage = {
  path: "/keys/new",
  title: "Create a key",
  scope: "manage:keys",
  show: async (visit) => html`<p class="back"><a href="${visit.root}/keys">All keys</a></p>
<h1>Create a key</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ failure: visit.failure, only: { scopes: [...visit.scopes] } })}
<button>Create the key</button>`,
  { action: "create" },
)}`,
  actions: {
    create: {
      asksPassword: true,
      async run({ call, root }, form) {
        const { value: key } = await call.createKey({ body: fields.read(form) })
        return {
          show: shownOnce({
            heading: `${key.name} was created`,
            texts: { Key: key.secret },
            advice: html`Programs send it in the header <code>api_key</code>.`,
            to: { href: `${root}/keys/${key.id}`, words: "Go to the key" },
          }),
        }
      },
    },
  },
}
