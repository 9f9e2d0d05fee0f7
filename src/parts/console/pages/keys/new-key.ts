import { KeyDraft } from "../../../../core/domain/keys/contract.ts"
import { scopes } from "../../../../core/domain/scopes.ts"
import { html } from "../../../site/pages/html.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { formPage } from "../form-page.ts"
import { withPassword } from "../page.ts"
import { fieldsOf } from "../parts/fields.ts"

export const newKeyPage = formPage({
  path: "/keys/new",
  title: "Create a key",
  scope: "manage:keys",
  about: { button: "Create the key" },
  action: "create",
  asks: { create: withPassword("Create the key") },
  fields: fieldsOf(KeyDraft, {
    name: { label: "Name", hint: "The purpose of the key, such as “nightly import”." },
    scopes: { label: "Scopes", choices: scopes },
    expiresAt: { label: "Expires", hint: "In UTC. Empty: never." },
    allowedCidrs: {
      label: "Allowed addresses",
      hint: "Address blocks that may use the key, one per line, such as 203.0.113.0/24. Empty: any.",
    },
    accountId: { label: "Account", hint: "The account’s id. Empty: your own." },
  }),
  async submit({ call, root }, body) {
    const { value: key } = await call.createKey({ body })
    return shownOnce({
      heading: `${key.name} was created`,
      texts: { Key: key.secret },
      advice: html`Programs send it in the header <code>api_key</code>.`,
      to: { href: `${root}/keys/${key.id}`, label: "Go to the key" },
    })
  },
})
