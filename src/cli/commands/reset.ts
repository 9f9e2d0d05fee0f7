import { Refused } from "../../client/client.ts"
import { sandbox } from "../../domain/sandbox/contract.ts"
import type { Command } from "../command.ts"
import { endpointCommand } from "../endpoint-command.ts"

const resetSandbox = endpointCommand("resetSandbox", sandbox.resetSandbox)

/** The one command of an endpoint that only a sandbox has. */
export const reset: Command = {
  ...resetSandbox,
  name: "reset",
  async run(given, world) {
    try {
      return await resetSandbox.run(given, world)
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status !== 404) throw error
      world.terminal.err(`${world.service.url} is no sandbox, and nothing was changed.\n`)
      return 1
    }
  },
}
