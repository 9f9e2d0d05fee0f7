import { scopes } from "../../../../domain/scopes.ts"

export const applicationWords = {
  name: { label: "Name", hint: "Displayed to users when the application requests their consent." },
  redirectUris: {
    label: "Redirect URIs",
    hint: "One per line, compared exactly: https, or http for localhost. Not needed for an application that acts only on its own behalf.",
  },
  scopes: { label: "Allowed scopes", choices: scopes },
}
