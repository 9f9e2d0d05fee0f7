import type { Send } from "../client/client.ts"
import { findNearest } from "../kernel/did-you-mean.ts"
import { type Given, one, type Service, UsageError, type World } from "./command.ts"
import { commands } from "./commands.ts"
import { explainFailure } from "./failure.ts"
import { commandHelp, nounHelp, nounOf, topHelp } from "./help.ts"
import { type Parsed, parse } from "./parse.ts"
import { type Credential, connect } from "./service.ts"

/** What a run is given from outside: everything a command needs but the service and the form of the answer. */
export type Outside = Omit<World, "service" | "json"> & {
  settings: { url: string } & Credential
  version: string
  fetch?: Send
}

/** Runs one command line and answers its exit code; whatever fails has been explainFailure on `err` by then. */
export async function run(argv: readonly string[], outside: Outside): Promise<number> {
  let service: Service | undefined
  let json = false
  try {
    const parsed = parseCommandLine(argv)
    const { command, given, global } = parsed
    json = global.json?.[0] === true
    const said = describeInstead(parsed, outside.version)
    if (said !== undefined || !command) {
      outside.terminal.out(said ?? topHelp(commands))
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

/** What is said instead of doing anything: the version, help, or that there is no such command. */
function describeInstead({ command, words, global }: Parsed, version: string): string | undefined {
  if (global.version) return `petstore ${version}\n`
  if (command) return global.help ? commandHelp(command) : undefined
  const [noun, ...verb] = words
  if (noun === undefined) return topHelp(commands)
  const help = nounHelp(noun, commands)
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
