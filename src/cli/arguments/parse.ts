import { parseArgs } from "node:util"
import { findNearest } from "../../core/kernel/did-you-mean.ts"
import { type Command, type CommandInput, type Flag, UsageError } from "../command/command.ts"

/** A parsed command line; `words` are those where the command is expected. */
export type Parsed = {
  command: Command | undefined
  words: string[]
  input: CommandInput
  global: CommandInput["flags"]
}

/** Throws UsageError when the command line is invalid. */
export function parse(argv: readonly string[], commands: readonly Command[], globalFlags: readonly Flag[]): Parsed {
  const start = afterLeadingFlags(argv, globalFlags)
  const words = wordsOf(argv.slice(start))
  const command = findCommand(words, commands)
  const leading = read(argv.slice(0, start), globalFlags)
  if (!command) {
    const rest = read(argv.slice(start + words.length), globalFlags)
    return {
      command,
      words,
      input: { arguments: {}, flags: {}, rest: [] },
      global: { ...leading.flags, ...rest.flags },
    }
  }

  const own = new Set(command.flags.map(({ name }) => name))
  const flags = [...command.flags, ...globalFlags.filter(({ name }) => !own.has(name))]
  const { positionals, flags: all } = read(argv.slice(start + command.name.split(" ").length), flags)
  const others = Object.entries(all).filter(([name]) => !own.has(name))
  const global = { ...leading.flags, ...Object.fromEntries(others) }
  const named = global.help || global.version ? {} : nameArguments(command, positionals)
  const rest = positionals.slice(command.arguments.length)
  return { command, words, input: { arguments: named, flags: all, rest }, global }
}

/** The index of the command, after leading global flags and their values. */
function afterLeadingFlags(argv: readonly string[], globalFlags: readonly Flag[]): number {
  let n = 0
  while (argv[n]?.startsWith("-")) {
    const flag = globalFlags.find(({ name }) => argv[n] === `--${name}`)
    n += flag?.value ? 2 : 1
  }
  return Math.min(n, argv.length)
}

function wordsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith("-"))
  return argv.slice(0, end === -1 ? argv.length : end)
}

/** The command that these words start with; a noun and verb take precedence over a single word. */
function findCommand([first, second]: readonly string[], commands: readonly Command[]): Command | undefined {
  const named = (name: string | undefined) => commands.find((command) => command.name === name)
  return named(`${first} ${second}`) ?? named(first)
}

function read(argv: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(
    flags.map(({ name, value, short }) => [
      name,
      { type: value ? ("string" as const) : ("boolean" as const), multiple: true, ...(short && { short }) },
    ]),
  )
  const { values, positionals } = parseFlags(joinChoices(argv, flags), options)
  for (const { name, many } of flags)
    if (!many && ((values[name] as unknown[] | undefined)?.length ?? 0) > 1)
      throw new UsageError(`--${name} is given more than once`)
  return { positionals, flags: values as CommandInput["flags"] }
}

/** `parseArgs` takes a value with a leading dash, as in `--sort -name`, for a flag unless it is joined to its flag. */
function joinChoices(argv: readonly string[], flags: readonly Flag[]): string[] {
  const joined: string[] = []
  for (const word of argv) {
    const flag = joined.includes("--") ? undefined : flags.find(({ name }) => joined.at(-1) === `--${name}`)
    if (word.startsWith("-") && flag?.choices?.includes(word)) joined.push(`${joined.pop()}=${word}`)
    else joined.push(word)
  }
  return joined
}

function parseFlags(
  argv: readonly string[],
  options: Record<string, { type: "string" | "boolean"; multiple: boolean }>,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const [unknown] = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? (/(?<=')--?[^'=]+/.exec(message) ?? []) : []
    if (unknown === undefined) throw new UsageError(message.split(".")[0])
    const near = findNearest(unknown.replace(/^-+/, ""), Object.keys(options))
    const advice = near === undefined ? "--help lists all flags" : `did you mean --${near}?`
    throw new UsageError(`unknown flag ${unknown}; ${advice}`)
  }
}

function nameArguments(command: Command, positionals: readonly string[]): Record<string, string> {
  const missing = command.arguments[positionals.length]
  if (missing && !missing.isOptional) throw new UsageError(`<${missing.name}> is missing`)
  const surplus = positionals[command.arguments.length]
  if (surplus !== undefined && !command.rest) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`)
  return Object.fromEntries(
    command.arguments.slice(0, positionals.length).map(({ name }, n) => [name, positionals[n] as string]),
  )
}
