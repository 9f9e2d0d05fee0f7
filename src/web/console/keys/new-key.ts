import { KeyDraft } from "../../../domain/keys/contract.ts"
import { scopes } from "../../../domain/scopes.ts"
import { html } from "../../html.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { shownOnce } from "../../parts/shown-once.ts"
import { formPage } from "../form-page.ts"

export const newKeyPage = formPage({
  path: "/keys/new",
  title: "Create a key",
  scope: "manage:keys",
  about: { button: "Create the key" },
  action: "create",
  asksPassword: ["create"],
  fields: fieldsOf(KeyDraft, {
    name: { label: "Name", hint: "What it is for, such as “nightly import”." },
    scopes: { label: "It may", choices: scopes },
    expiresAt: { label: "Expires", hint: "In UTC. Never, when left empty." },
    allowedCidrs: {
      label: "Addresses",
      hint: "Blocks it may be used from, one a line, such as 203.0.113.0/24. Any, when left empty.",
    },
    accountId: { label: "Account", hint: "Its number. Your own, when left empty." },
  }),
  async submit({ call, root }, body) {
    const { value: key } = await call.createKey({ body })
    return shownOnce({
      heading: `${key.name} was created`,
      texts: { Key: key.secret },
      advice: html`Programs send it in the header <code>api_key</code>.`,
      to: { href: `${root}/keys/${key.id}`, words: "Go to the key" },
    })
  },
})
