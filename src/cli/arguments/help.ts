import type { Command, Flag } from "../command/command.ts"

const lineWidth = 100

const examples: Pair[] = [
  ["petstore try", "A service to look around in, which leaves nothing behind"],
  ["petstore pets list --status available", "Operations of the API, by resource"],
  ['petstore fault "lose 1 in 5"', "What a client does when one response in five is lost"],
  ["petstore logs --follow", "What a client sends, as it arrives"],
]

export function formatTopHelp(commands: readonly Command[], globalFlags: readonly Flag[]): string {
  const single = new Set(commands.map(({ name }) => name))
  const [own, ofNouns] = [true, false].map((isOwn) => commands.filter(({ name }) => single.has(nounOf(name)) === isOwn))
  const nouns = Map.groupBy(ofNouns ?? [], ({ name }) => nounOf(name))
  return [
    "Petstore on the command line.\n",
    "Usage: petstore COMMAND [FLAGS]\n",
    "Examples:",
    ...formatPairs(examples),
    "",
    "Commands:",
    ...formatPairs((own ?? []).map((command) => [command.name, command.summary])),
    "",
    "API commands, by resource:",
    ...formatPairs([...nouns].map(([noun, verbs]) => [noun, verbs.map(({ name }) => verbOf(name)).join(", ")])),
    "",
    "Global flags:",
    ...formatPairs(globalFlags.map(toPair)),
    "",
    "Run petstore COMMAND --help for details. Exit codes: 0 success, 1 refused or failed, 2 usage error, 130 Ctrl-C.\n",
  ].join("\n")
}

/** The text of `petstore pets --help`; undefined when no command starts with this noun. */
export function formatNounHelp(noun: string, commands: readonly Command[]): string | undefined {
  const verbs = commands.filter(({ name }) => nounOf(name) === noun && name.includes(" "))
  if (verbs.length === 0) return undefined
  return [
    `Usage: petstore ${noun} VERB [FLAGS]\n`,
    "Verbs:",
    ...formatPairs(verbs.map((command) => [verbOf(command.name), command.summary])),
    "",
    `Run petstore ${noun} VERB --help for details.\n`,
  ].join("\n")
}

export function formatCommandHelp(command: Command, globalFlags: readonly Flag[]): string {
  return [
    `${command.summary}.`,
    ...(command.description ? ["", ...wrapText(command.description, lineWidth)] : []),
    "",
    formatUsage(command),
    ...formatSection(
      "Arguments:",
      [...command.arguments, ...(command.rest ? [command.rest] : [])].map(({ name, meaning }) => [
        `<${name}>`,
        meaning,
      ]),
    ),
    ...formatSection("Flags:", command.flags.map(toPair)),
    ...formatSection("Environment variables:", command.environment ?? []),
    ...describeShadowed(command, globalFlags),
    "",
  ].join("\n")
}

function formatUsage({ name, arguments: taken, flags, rest }: Command): string {
  const named = taken.map(({ name, isOptional }) => (isOptional ? `[<${name}>]` : `<${name}>`))
  const parts = [...named, ...(flags.length > 0 ? ["[FLAGS]"] : []), ...(rest ? [`-- <${rest.name}> …`] : [])]
  return ["Usage: petstore", name, ...parts].join(" ")
}

export const nounOf = (name: string): string => name.split(" ")[0] as string
const verbOf = (name: string): string => name.split(" ").slice(1).join(" ")

type Pair = [string, string]

const formatSection = (title: string, rows: Pair[]): string[] =>
  rows.length > 0 ? ["", title, ...formatPairs(rows)] : []

function toPair({ name, short, value, meaning, required, many }: Flag): Pair {
  const remarks = [...(required ? ["required"] : []), ...(many ? ["may be repeated"] : [])]
  return [
    [short && `-${short},`, `--${name}`, value].filter(Boolean).join(" "),
    [meaning, remarks.length > 0 && `(${remarks.join(", ")})`].filter(Boolean).join(" "),
  ]
}

/** Explains how to pass global flags that the command's own flags hide. */
function describeShadowed({ flags }: Command, globalFlags: readonly Flag[]): string[] {
  const names = flags
    .filter(({ name }) => globalFlags.some((known) => known.name === name))
    .map(({ name }) => `--${name}`)
  if (names.length === 0) return []
  return [
    "",
    ...wrapText(`Give the global flag ${names.join(", ")} before the command: petstore ${names[0]} …`, lineWidth),
  ]
}

/** Formats two columns. A name too long for the first gets a line of its own. */
function formatPairs(rows: readonly Pair[]): string[] {
  const column = Math.min(30, Math.max(...rows.map(([name]) => name.length)) + 2)
  return rows.flatMap(([name, meaning]) => {
    const lines = meaning === "" ? [] : wrapText(meaning, lineWidth - column - 2)
    const [first = "", ...rest] = lines
    const indented = rest.map((line) => " ".repeat(column + 2) + line)
    if (name.length + 2 > column) return [`  ${name}`, ...lines.map((line) => " ".repeat(column + 2) + line)]
    return [`  ${name.padEnd(column)}${first}`.trimEnd(), ...indented]
  })
}

function wrapText(text: string, width: number): string[] {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) as string
    if (line === "") lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
