import { type Command, one, type World } from "../../../cli/command/command.ts"
import { endpointCommand } from "../../../cli/endpoint/endpoint-command.ts"
import { collectFields, requestFields } from "../../../cli/endpoint/endpoint-flags.ts"
import { printResult } from "../../../cli/output/result.ts"
import { Refused } from "../../../client/client.ts"
import { askRunning } from "../../operator/socket.ts"
import { sandbox } from "../contract.ts"
import type { Seed } from "../seeds/contract.ts"

const resetSandbox = endpointCommand("resetSandbox", sandbox.resetSandbox)
const fields = requestFields(sandbox.resetSandbox)

/** The command of the endpoint that only sandboxes have. */
export const reset: Command = {
  ...resetSandbox,
  name: "reset",
  description:
    `${resetSandbox.description} When the service on this machine refuses the credential, the command uses its data directory ` +
    "(PETSTORE_DATA_DIR), which requires none.",
  async run(input, world) {
    try {
      const { value } = await world.service
        .clientOf(sandbox)
        .resetSandbox({ query: collectFields(fields, input, "query") })
      printResult(world, value, `${value.message}\n`)
      return 0
    } catch (error) {
      // Only the seeds can be restored without a credential, and only in the service's own sandbox.
      if (!(error instanceof Refused) || one(input, "from") !== undefined) throw error
      if (error.status === 404) {
        world.terminal.err(`${world.service.url} is not a sandbox; nothing was changed.\n`)
        return 1
      }
      const seed = (one(input, "seed") ?? "initial") as Seed
      if ([401, 403].includes(error.status) && (await resetOnMachine(world, seed))) return 0
      throw error
    }
  },
}

/** Resets the sandbox through the data directory, without a credential; resolves with whether it did. */
async function resetOnMachine(world: World, seed: Seed): Promise<boolean> {
  const { service, terminal } = world
  if (!service.isLocal) return false
  const done = await askRunning(world.readConfig().dataDir, { action: "reset", seed, url: service.url })
  if (done?.error !== undefined) terminal.err(`${done.error}\n`)
  if (done?.message === undefined) return false
  printResult(world, done, `${done.message}\n`)
  return true
}
