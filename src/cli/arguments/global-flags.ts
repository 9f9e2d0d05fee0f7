import type { Flag } from "../command.ts"

/** Flags of every command. Before the command they are always these; after it, a command's own flag of the same name wins. */
export const globalFlags: readonly Flag[] = [
  { name: "url", value: "URL", meaning: "Address of the service (PETSTORE_URL; default http://127.0.0.1:8080)" },
  {
    name: "api-key",
    value: "KEY",
    meaning:
      "The API key to send; better PETSTORE_API_KEY, which others on this machine cannot read. Without any credential the token " +
      "of petstore login is sent; without that, a service on this machine is sent the sandbox's special-key, which no other " +
      "profile accepts, and any other service is sent none",
    secret: "set PETSTORE_API_KEY, or use petstore login",
  },
  {
    name: "token",
    value: "TOKEN",
    meaning: "The access token to send, from OAuth or users login; better PETSTORE_TOKEN, or petstore login",
    secret: "set PETSTORE_TOKEN, or use petstore login",
  },
  { name: "json", meaning: "Print the response as JSON, unchanged; with --all, one JSON value per line" },
  { name: "verbose", meaning: "Say which service is asked, and with which credential" },
  { name: "help", short: "h", meaning: "Show what the command does and which flags it takes" },
  { name: "version", short: "v", meaning: "Show the version" },
]
