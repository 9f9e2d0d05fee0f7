import { commands, globalFlags } from "../commands.ts"
import { findNearest } from "../core/kernel/did-you-mean.ts"
import { command as program } from "../program.ts"
import { formatCommandHelp, formatNounHelp, formatTopHelp, nounOf } from "./arguments/help.ts"
import { type Parsed, parse } from "./arguments/parse.ts"
import {
  type Command,
  type CommandInput,
  Interrupted,
  rejectWhenAborted,
  type Service,
  type Terminal,
  UsageError,
  type World,
} from "./command/command.ts"
import { explainFailure } from "./output/failure.ts"
import { connect, type ServiceAccess } from "./service/service.ts"
import { openVisibleTerminal } from "./terminal/visible-output.ts"

/** The dependencies of a run: those of commands except the service and the output format. */
export type Outside = Omit<World, "service" | "json"> & ServiceAccess

/** Runs a command line and resolves with its exit code. Failures are printed on `err`. */
export async function run(argv: readonly string[], given: Outside): Promise<number> {
  const outside = { ...given, terminal: openVisibleTerminal(given.terminal) }
  let service: Service | undefined
  let json = false
  try {
    const parsed = parseCommandLine(argv)
    const { command, input, global } = parsed
    json = global.json?.[0] === true
    if (!command || global.version || global.help) {
      outside.terminal.out(describe(parsed, outside.version))
      return 0
    }
    service = connect(global, outside, globalFlags)
    if (!json) warnOfSecrets(parsed, outside.terminal)
    if (global.verbose?.[0] === true) outside.terminal.err(`${service.url}, with ${service.credential.from}\n`)
    return await runToEnd(command, input, { ...outside, service, json })
  } catch (error) {
    const { text, code } = explainFailure(error, service, { json, paint: outside.terminal.paint.err })
    outside.terminal.err(text)
    return code
  }
}

/** Warns about secrets on the command line, which other users can read. */
function warnOfSecrets({ command, input, global }: Parsed, { err }: Terminal): void {
  const shown = [
    ...globalFlags.filter(({ name }) => name in global),
    ...(command?.flags.filter(({ name }) => name in input.flags) ?? []),
  ]
  for (const { name, secret } of shown)
    if (secret !== undefined)
      err(`Warning: other users of this machine can read --${name} in the list of processes; ${secret}.\n`)
}

async function runToEnd(command: Command, input: CommandInput, world: World): Promise<number> {
  const { interrupted, terminal } = world
  try {
    if (command.endsItself) return await command.run(input, world)
    return await Promise.race([command.run(input, world), rejectWhenAborted(interrupted)])
  } catch (error) {
    if (error instanceof Interrupted && command.whenInterrupted) terminal.err(`${command.whenInterrupted}\n`)
    throw error
  }
}

const parseCommandLine = (argv: readonly string[]): Parsed => parse(wordsAsFlags(argv), commands, globalFlags)

/** `petstore help pets` is `petstore pets --help`, and `petstore version` is `petstore --version`. */
function wordsAsFlags([first, ...rest]: readonly string[]): readonly string[] {
  if (first === "help") return [...rest, "--help"]
  if (first === "version" && rest.length === 0) return ["--version"]
  return first === undefined ? [] : [first, ...rest]
}

/** The text of `--version` or `--help`; throws UsageError for an unknown command. */
function describe({ command, words, global }: Parsed, version: string): string {
  if (global.version) return `petstore ${version}\n`
  if (command) return formatCommandHelp(command, globalFlags)
  const [noun, ...verb] = words
  if (noun === undefined) return formatTopHelp(commands, globalFlags)
  const help = formatNounHelp(noun, commands)
  if (help !== undefined && verb.length === 0) return help
  throw new UsageError(describeUnknown(words, help !== undefined))
}

function describeUnknown([noun = "", verb]: readonly string[], isNoun: boolean): string {
  const meant = isNoun && verb !== undefined ? findVerb(noun, verb) : findCommand(noun, verb)
  const typed = verb === undefined ? noun : `${noun} ${verb}`
  const lists = isNoun ? `${program} ${noun} --help lists its verbs` : `${program} --help lists all commands`
  return `unknown command ${JSON.stringify(typed)}; ${meant === undefined ? lists : `did you mean: ${program} ${meant}`}`
}

/** Compares verbs without their noun, which would make all of them similar. */
function findVerb(noun: string, verb: string): string | undefined {
  const near = findNearest(verb, verbsOf(noun))
  return near === undefined ? undefined : `${noun} ${near}`
}

/** Of a noun with a verb, a noun that has this verb; otherwise the only command with this verb or name. */
function findCommand(noun: string, verb: string | undefined): string | undefined {
  if (verb === undefined) return findNearest(noun, nouns())
  const near = findNearest(
    noun,
    [...nouns()].filter((each) => verbsOf(each).length > 0),
  )
  if (near !== undefined) return near
  if (nouns().has(verb)) return verb
  const named = commands.filter(({ name }) => name.endsWith(` ${verb}`))
  return named.length === 1 ? named[0]?.name : undefined
}

const verbsOf = (noun: string): string[] =>
  commands.filter(({ name }) => name.startsWith(`${noun} `)).map(({ name }) => name.slice(noun.length + 1))

const nouns = (): Set<string> => new Set(commands.map(({ name }) => nounOf(name)))
