import { OAuthClientDraft } from "../../../../core/domain/oauth/contract.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { formPage } from "../form-page.ts"
import { withPassword } from "../page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { applicationWords } from "./application-words.ts"

const { name, redirectUris, idTokenSignedResponseAlg, scopes } = applicationWords

export const newApplicationPage = formPage({
  path: "/applications/new",
  title: "Register an application",
  scope: "manage:keys",
  about: { values: { type: "confidential" }, button: "Register the application" },
  action: "register",
  asks: { register: withPassword("Register the application") },
  fields: fieldsOf(OAuthClientDraft, {
    name,
    type: {
      label: "Type",
      choices: { confidential: "Confidential: on a server", public: "Public: in a browser or on a phone" },
      hint: "A confidential application authenticates with a secret.",
    },
    redirectUris,
    idTokenSignedResponseAlg,
    scopes,
  }),
  async submit({ call, root }, body) {
    const { value: client } = await call.createOAuthClient({ body })
    const { clientId, clientSecret } = client
    const at = `/applications/${client.id}` as const
    if (clientSecret === undefined) return { to: at, notice: `${client.name} was registered` }
    return shownOnce({
      heading: `${client.name} was registered`,
      texts: { "Client id": clientId, "Client secret": clientSecret },
      advice: "The application authenticates with both.",
      to: { href: root + at, label: "Go to the application" },
    })
  },
})
