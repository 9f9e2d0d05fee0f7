import { nounOf } from "../arguments/help.ts"
import type { Command, Flag } from "../command/command.ts"

/** The candidates at a position: words, file names, or any text. */
export type Candidates = readonly string[] | "file" | "text"

/**
 * All positions of the command line. A key is the command so far (`pets get`) for its verbs or its first argument, followed by
 * ` +` for each argument already given (`users grant +`), by ` -` for its flags, or by a flag for that flag's value.
 */
export function listCompletions(commands: readonly Command[], globalFlags: readonly Flag[]): Map<string, Candidates> {
  const table = new Map<string, Candidates>()
  const nouns = Map.groupBy(commands, ({ name }) => nounOf(name))
  table.set("", [...nouns.keys(), "help"])
  table.set("help", [...nouns.keys()])
  table.set(" -", globalFlags.map(toOption))
  addValues(table, "", globalFlags)
  for (const [noun, group] of nouns)
    table.set(
      noun,
      group.flatMap(({ name }) => name.split(" ")[1] ?? []),
    )
  for (const { name, flags, arguments: taken } of commands) {
    const own = new Set(flags.map((flag) => flag.name))
    table.set(name, table.get(name) ?? [])
    for (const [n, argument] of taken.entries())
      table.set(name + " +".repeat(n), argument.choices ?? (argument.name === "file" ? "file" : "text"))
    table.set(`${name} -`, [...flags, ...globalFlags.filter((flag) => !own.has(flag.name))].map(toOption))
    addValues(table, `${name} `, flags)
  }
  return table
}

const toOption = ({ name }: Flag): string => `--${name}`

function addValues(table: Map<string, Candidates>, prefix: string, flags: readonly Flag[]): void {
  for (const flag of flags)
    if (flag.value)
      table.set(prefix + toOption(flag), flag.choices ?? (/^(FILE|PATH)\b/.test(flag.value) ? "file" : "text"))
}
