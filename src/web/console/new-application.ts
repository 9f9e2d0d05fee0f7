import { OAuthClientDraft } from "../../domain/oauth/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import { applicationWords } from "./application-words.ts"
import type { ConsolePage } from "./page.ts"

const { name, redirectUris, scopes } = applicationWords
const fields = fieldsOf(OAuthClientDraft, {
  name,
  type: {
    label: "Type",
    choices: { confidential: "Confidential, on a server", public: "Public, in a browser or on a phone" },
    hint: "A confidential one proves with a secret that it is the one.",
  },
  redirectUris,
  scopes,
})

/** Registers an OAuth client, whose secret is shown once. */
export const newApplicationPage: ConsolePage = {
  path: "/applications/new",
  title: "Register an application",
  scope: "manage:keys",
  show: async (visit) => html`<p class="back"><a href="${visit.root}/applications">All applications</a></p>
<h1>Register an application</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({
    ...{ values: { type: "confidential" }, failure: visit.failure, only: { scopes: [...visit.scopes] } },
  })}
<button>Register the application</button>`,
  { action: "register" },
)}`,
  actions: {
    register: {
      asksPassword: true,
      async run({ call, root }, form) {
        const { value: client } = await call.createOAuthClient({ body: fields.read(form) })
        const { clientId, clientSecret } = client
        const at = `/applications/${client.id}`
        if (clientSecret === undefined) return { to: at as `/${string}`, notice: `${client.name} was registered` }
        return {
          show: shownOnce({
            heading: `${client.name} was registered`,
            texts: { "Client id": clientId, "Client secret": clientSecret },
            advice: "The application proves with both that it is the one.",
            to: { href: root + at, words: "Go to the application" },
          }),
        }
      },
    },
  },
}
