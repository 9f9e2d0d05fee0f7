import { Refused } from "../../client/client.ts"
import { type Seed, sandbox } from "../../domain/sandbox/contract.ts"
import { type Command, one, type World } from "../command.ts"
import { endpointCommand } from "../endpoint/endpoint-command.ts"
import { answer } from "../output/answer.ts"

const resetSandbox = endpointCommand("resetSandbox", sandbox.resetSandbox)

/** The one command of an endpoint that only a sandbox has. */
export const reset: Command = {
  ...resetSandbox,
  name: "reset",
  description:
    `${resetSandbox.description} When the service on this machine refuses the credential, it is asked through its data directory ` +
    "(PETSTORE_DATA_DIR), which needs none.",
  async run(given, world) {
    try {
      return await resetSandbox.run(given, world)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.status === 404) {
        world.terminal.err(`${world.service.url} is no sandbox, and nothing was changed.\n`)
        return 1
      }
      const seed = (one(given, "seed") ?? "classic") as Seed
      if ([401, 403].includes(error.status) && (await resetOnMachine(world, seed))) return 0
      throw error
    }
  },
}

/** Whether the service that runs on this machine's files has reset its sandbox, which takes no credential. */
async function resetOnMachine(world: World, seed: Seed): Promise<boolean> {
  const { service, terminal, askRunning } = world
  const done = service.isLocal ? await askRunning({ action: "reset", seed, url: service.url }) : undefined
  if (done?.error !== undefined) terminal.err(`${done.error}\n`)
  if (done?.message === undefined) return false
  answer(world, done, `${done.message}\n`)
  return true
}
