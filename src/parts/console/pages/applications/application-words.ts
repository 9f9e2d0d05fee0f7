import { scopes } from "../../../../core/domain/scopes.ts"

export const applicationWords = {
  name: { label: "Name", hint: "Displayed to users when the application requests their consent." },
  redirectUris: {
    label: "Redirect URIs",
    hint: "One per line, compared exactly: https, or http for localhost. Not needed for an application that acts only on its own behalf.",
  },
  idTokenSignedResponseAlg: { hidden: "RS256 suits all but a few programs, for which it is set with the API" },
  scopes: { label: "Allowed scopes", choices: scopes },
}
