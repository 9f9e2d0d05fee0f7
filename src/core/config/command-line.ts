import { anyText } from "./kinds.ts"
import type { Topic } from "./setting.ts"

/** The settings of the command line; the service ignores them. */
export const commandLine = {
  url: {
    variable: "PETSTORE_URL",
    kind: anyText,
    default: "http://127.0.0.1:8080",
    meaning: "URL of the service, for the command line",
  },
  apiKey: {
    variable: "PETSTORE_API_KEY",
    kind: anyText,
    otherwise: "the login of `petstore login`, else the sandbox's `special-key` when PETSTORE_URL is this machine",
    meaning: "The API key that the command line sends",
  },
  token: {
    variable: "PETSTORE_TOKEN",
    kind: anyText,
    meaning: "The access token that the command line sends, as returned by `petstore users login`",
  },
} as const satisfies Topic
