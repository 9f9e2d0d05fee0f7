import type { GlobalFlag } from "../command/command.ts"

/** Flags of all commands, with those of parts. After the command, its own flag of the same name takes precedence. */
export const globalFlagsWith = (ofParts: readonly GlobalFlag[]): readonly GlobalFlag[] => [
  { name: "url", value: "URL", meaning: "Address of the service (PETSTORE_URL; default http://127.0.0.1:8080)" },
  ...ofParts,
  {
    name: "api-key",
    value: "KEY",
    meaning:
      "The API key to send. Prefer PETSTORE_API_KEY, which other users of this machine cannot read. Without a credential, the " +
      "token of petstore login is sent; without a login, a service on this machine gets the sandbox's special-key, which only " +
      "the sandbox profile accepts, and any other service gets no credential",
    secret: "set PETSTORE_API_KEY, or use petstore login",
  },
  {
    name: "token",
    value: "TOKEN",
    meaning: "The access token to send, from OAuth or users login. Prefer PETSTORE_TOKEN or petstore login",
    secret: "set PETSTORE_TOKEN, or use petstore login",
  },
  { name: "account", value: "ID", meaning: "Act for this account instead of your own; requires the scope admin" },
  { name: "json", meaning: "Print the response as JSON, unchanged; with --all, one JSON value per line" },
  { name: "verbose", meaning: "Print the service's address and the source of the credential" },
  { name: "help", short: "h", meaning: "Show help for the command" },
  { name: "version", short: "v", meaning: "Show the version" },
]
