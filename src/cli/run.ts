import type { Send } from "../client/client.ts"
import { findNearest } from "../kernel/did-you-mean.ts"
import { type Given, one, type Service, UsageError, type World } from "./command.ts"
import { commands } from "./commands.ts"
import { explainFailure } from "./failure.ts"
import { formatCommandHelp, formatNounHelp, formatTopHelp, nounOf } from "./help.ts"
import { type Parsed, parse } from "./parse.ts"
import { type Credential, connect } from "./service.ts"

/** What a run is given: everything a command needs except the service and the output format. */
export type Outside = Omit<World, "service" | "json"> & {
  settings: { url: string } & Credential
  version: string
  fetch?: Send
}

/** Runs one command line and resolves with its exit code; failures are explained on `err`. */
export async function run(argv: readonly string[], outside: Outside): Promise<number> {
  let service: Service | undefined
  let json = false
  try {
    const parsed = parseCommandLine(argv)
    const { command, given, global } = parsed
    json = global.json?.[0] === true
    const instead = describeInstead(parsed, outside.version)
    if (instead !== undefined || !command) {
      outside.terminal.out(instead ?? formatTopHelp(commands))
      return 0
    }
    const flags: Given = { arguments: {}, flags: global }
    const { url, apiKey, token } = outside.settings
    service = connect(
      one(flags, "url") ?? url,
      { apiKey: one(flags, "api-key") ?? apiKey, token: one(flags, "token") ?? token },
      outside.fetch,
    )
    return await command.run(given, { ...outside, service, json })
  } catch (error) {
    const { text, code } = explainFailure(error, service, json)
    outside.terminal.err(text)
    return code
  }
}

const parseCommandLine = (argv: readonly string[]): Parsed =>
  parse(argv[0] === "help" ? [...argv.slice(1), "--help"] : argv, commands)

/** The text shown instead of running a command: version or help; throws UsageError when there is no such command. */
function describeInstead({ command, words, global }: Parsed, version: string): string | undefined {
  if (global.version) return `petstore ${version}\n`
  if (command) return global.help ? formatCommandHelp(command) : undefined
  const [noun, ...verb] = words
  if (noun === undefined) return formatTopHelp(commands)
  const help = formatNounHelp(noun, commands)
  if (help !== undefined && verb.length === 0) return help
  throw new UsageError(describeUnknown(words, help !== undefined))
}

function describeUnknown(words: readonly string[], isNoun: boolean): string {
  const [noun, verb] = words as [string, string?]
  const known = isNoun ? commands.filter(({ name }) => nounOf(name) === noun) : commands
  const typed = verb === undefined ? noun : `${noun} ${verb}`
  const candidates = verb === undefined ? known.map(({ name }) => nounOf(name)) : known.map(({ name }) => name)
  const near = findNearest(typed, candidates)
  const advice = near === undefined ? "petstore --help lists all commands" : `did you mean: petstore ${near}`
  return `there is no command ${JSON.stringify(typed)}; ${advice}`
}
