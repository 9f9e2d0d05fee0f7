import type { Terminal } from "../command.ts"
import { globalFlags } from "./global-flags.ts"
import type { Parsed } from "./parse.ts"

/** Says of each secret on the command line that others can read it there. */
export function warnOfSecrets({ command, given, global }: Parsed, { err }: Terminal): void {
  const shown = [
    ...globalFlags.filter(({ name }) => name in global),
    ...(command?.flags.filter(({ name }) => name in given.flags) ?? []),
  ]
  for (const { name, secret } of shown)
    if (secret !== undefined) err(`Others on this machine can read --${name} in the list of processes: ${secret}.\n`)
}
