import { type Command, UsageError } from "../command.ts"

/** Here for the help only: the launcher runs `petstore serve` as src/main.ts. */
export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  description: "Takes no flags. Settings are environment variables, listed in docs/configuration.md.",
  arguments: [],
  flags: [],
  run: async () => {
    throw new UsageError("the service is started by the launcher: petstore serve")
  },
}
