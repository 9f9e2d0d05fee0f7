import type { Command, Flag } from "./command.ts"
import { globalFlags } from "./parse.ts"

const lineWidth = 100

/** What `petstore --help` says. */
export function topHelp(commands: readonly Command[]): string {
  const own = commands.filter(({ name }) => !name.includes(" "))
  const nouns = Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => nounOf(name),
  )
  return [
    "Petstore on the command line.\n",
    "Usage: petstore COMMAND [FLAGS]\n",
    "Commands:",
    ...pairs(own.map((command) => [command.name, command.summary])),
    "",
    "API commands, by resource:",
    ...pairs([...nouns].map(([noun, verbs]) => [noun, verbs.map(({ name }) => verbOf(name)).join(", ")])),
    "",
    "Global flags:",
    ...pairs(globalFlags.map(flagPair)),
    "",
    "Run petstore COMMAND --help for details. Exit codes: 0 success, 1 refused or failed, 2 usage error.\n",
  ].join("\n")
}

/** What `petstore pets --help` says; undefined when no command begins with this word. */
export function nounHelp(noun: string, commands: readonly Command[]): string | undefined {
  const verbs = commands.filter(({ name }) => nounOf(name) === noun && name.includes(" "))
  if (verbs.length === 0) return undefined
  return [
    `Usage: petstore ${noun} VERB [FLAGS]\n`,
    "Verbs:",
    ...pairs(verbs.map((command) => [verbOf(command.name), command.summary])),
    "",
    `Run petstore ${noun} VERB --help for details.\n`,
  ].join("\n")
}

/** What `petstore pets get --help` says. */
export function commandHelp(command: Command): string {
  return [
    `${command.summary}.`,
    ...(command.description ? ["", ...wrapped(command.description, lineWidth)] : []),
    "",
    usage(command),
    ...section(
      "Arguments:",
      command.arguments.map(({ name, meaning }) => [`<${name}>`, meaning]),
    ),
    ...section("Flags:", command.flags.map(flagPair)),
    ...shadowed(command),
    "",
  ].join("\n")
}

/** The help of every command, for the file that is compared in review. */
export const wholeHelp = (commands: readonly Command[]): string =>
  [
    `$ petstore --help\n\n${topHelp(commands)}`,
    ...commands.map((command) => `$ petstore ${command.name} --help\n\n${commandHelp(command)}`),
  ].join(`\n${"-".repeat(lineWidth)}\n`)

const usage = ({ name, arguments: taken, flags }: Command): string =>
  [
    "Usage: petstore",
    name,
    ...taken.map((argument) => `<${argument.name}>`),
    ...(flags.length > 0 ? ["[FLAGS]"] : []),
  ].join(" ")

export const nounOf = (name: string): string => name.split(" ")[0] as string
const verbOf = (name: string): string => name.split(" ").slice(1).join(" ")

type Pair = [string, string]

const section = (title: string, rows: Pair[]): string[] => (rows.length > 0 ? ["", title, ...pairs(rows)] : [])

function flagPair({ name, value, meaning, required, many }: Flag): Pair {
  const remarks = [...(required ? ["required"] : []), ...(many ? ["may be repeated"] : [])]
  return [
    value ? `--${name} ${value}` : `--${name}`,
    [meaning, remarks.length > 0 && `(${remarks.join(", ")})`].filter(Boolean).join(" "),
  ]
}

/** Names the global flags that mean something else after this command. */
function shadowed({ flags }: Command): string[] {
  const names = flags
    .filter(({ name }) => globalFlags.some((known) => known.name === name))
    .map(({ name }) => `--${name}`)
  if (names.length === 0) return []
  return [
    "",
    ...wrapped(
      `The flag ${names.join(", ")} of every command is given before this one: petstore ${names[0]} …`,
      lineWidth,
    ),
  ]
}

/** Two columns; a name too long for the first has a line of its own. */
function pairs(rows: readonly Pair[]): string[] {
  const column = Math.min(30, Math.max(...rows.map(([name]) => name.length)) + 2)
  return rows.flatMap(([name, meaning]) => {
    const lines = meaning === "" ? [] : wrapped(meaning, lineWidth - column - 2)
    const [first = "", ...rest] = lines
    const indented = rest.map((line) => " ".repeat(column + 2) + line)
    if (name.length + 2 > column) return [`  ${name}`, ...lines.map((line) => " ".repeat(column + 2) + line)]
    return [`  ${name.padEnd(column)}${first}`.trimEnd(), ...indented]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) as string
    if (line === "") lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
