import type { Command } from "../../../cli/command/command.ts"
import { endpointCommand } from "../../../cli/endpoint/endpoint-command.ts"
import { sandbox } from "../contract.ts"

const command = endpointCommand("exportSandbox", sandbox.exportSandbox)

/** Prints the file as it is, which has a row on each line. */
export const exportSandbox: Command = {
  ...command,
  description:
    "Prints everything that a copy has, with its credentials, and the time: petstore sandbox export run-7 > run-7.petstore. " +
    "petstore sandbox create --name run-8 --body @run-7.petstore makes the sandbox again, here or at another service of the same version.",
  async run({ arguments: { name = "" } }, { service, terminal }) {
    const { text } = await service.clientOf(sandbox).exportSandbox({ params: { name } })
    terminal.out(text)
    return 0
  },
}
