import { type Command, UsageError } from "../command.ts"

/** Only tells of itself: the launcher hands `petstore serve` straight to the service. */
export const serve: Command = {
  name: "serve",
  summary: "Start the service",
  description: "Takes no flags. What can be set is set in the environment; docs/configuration.md lists all of it.",
  arguments: [],
  flags: [],
  run: async () => {
    throw new UsageError("the service is started by the launcher: petstore serve")
  },
}
