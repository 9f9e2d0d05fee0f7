import type { Command } from "../../../cli/command/command.ts"
import { endpointCommand } from "../../../cli/endpoint/endpoint-command.ts"
import { collectFields, requestFields } from "../../../cli/endpoint/endpoint-flags.ts"
import { createTable } from "../../../cli/output/table.ts"
import { sandbox } from "../contract.ts"
import { type DiffLine, describeDiff, linesOf } from "../diff/diff-words.ts"

const command = endpointCommand("diffSandbox", sandbox.diffSandbox)
const fields = requestFields(sandbox.diffSandbox).filter(({ name }) => name !== "with")
const columns = ["change", "kind", "id", "member", "before", "after"] satisfies (keyof DiffLine)[]

/** Prints a line for each change, and what was compared; the exit code is that of diff(1). */
export const diffSandbox: Command = {
  ...command,
  description: `${command.description} Exits with 0 if nothing differs, and with 1 otherwise. --json prints everything that was added or removed.`,
  arguments: [
    ...command.arguments,
    { name: "with", meaning: "The other sandbox; by default what the first one started from", isOptional: true },
  ],
  flags: fields.map(({ flag }) => flag),
  async run(input, { service, terminal, json }) {
    const { name = "", with: other } = input.arguments
    const query = { ...collectFields(fields, input, "query"), ...(other !== undefined && { with: other }) }
    const { value, text } = await service.clientOf(sandbox).diffSandbox({ params: { name }, query })
    if (json) terminal.out(`${text}\n`)
    else {
      const rows = createTable(columns, terminal, { isCut: terminal.width !== undefined, paint: { change: paintOf } })
      if (value.changes.length > 0) terminal.out(rows(value.changes.flatMap(linesOf)))
      terminal.err(`${describeDiff(value)}.\n`)
    }
    return value.changes.length > 0 || !value.isComplete ? 1 : 0
  },
}

const paintOf = (change: string) => (change === "removed" ? "red" : change === "added" ? "green" : "bold")
