import { type Command, UsageError } from "../command.ts"

/** Only listed in the help: the launcher runs `petstore serve` as src/main.ts, with the one wiring there is. */
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
