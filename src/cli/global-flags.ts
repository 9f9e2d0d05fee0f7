import type { Flag } from "./command.ts"

/** Flags of every command. Before the command they are always these; after it, a command's own flag of the same name wins. */
export const globalFlags: readonly Flag[] = [
  { name: "url", value: "URL", meaning: "Address of the service (PETSTORE_URL; default http://127.0.0.1:8080)" },
  {
    name: "api-key",
    value: "KEY",
    meaning:
      "The API key to send (PETSTORE_API_KEY). Without one, a service on this machine is sent the sandbox's " +
      "special-key, which no other profile accepts; any other service is sent none",
  },
  { name: "token", value: "TOKEN", meaning: "The access token to send, from users login or OAuth (PETSTORE_TOKEN)" },
  { name: "json", meaning: "Print the response as JSON, unchanged; with --all, one JSON value per line" },
  { name: "help", meaning: "Show what the command does and which flags it takes" },
  { name: "version", meaning: "Show the version" },
]
