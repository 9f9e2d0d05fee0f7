import { scopes } from "../../../domain/scopes.ts"

export const applicationWords = {
  name: { label: "Name", hint: "People read it when the application asks for their consent." },
  redirectUris: {
    label: "Redirect URIs",
    hint: "Where people return to, one a line, compared to the letter: https, or http on this machine. An application that acts for itself alone needs none.",
  },
  scopes: { label: "It may be allowed to", choices: scopes },
}
