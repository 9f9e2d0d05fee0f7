import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageName } from "./package.ts"

const directory = join(import.meta.dirname, "..", "..", "docs", "recipes")

/** The steps of a page of docs/recipes, or of another document by its path from there. */
type Steps = {
  /** Each block that follows a line ending with a file name and a colon. */
  files: [name: string, text: string][]
  /** Each command of the blocks in `sh`, and of the steps of a workflow. */
  commands: string[]
  /** What the page shows directly after a block of commands: the output of the last of them. */
  outputs: Map<string, string>
  usesPackage: boolean
  /** The page is for the folder of a checkout. */
  usesCheckout: boolean
}

/** Reads a page; `replaced` maps addresses in it to others. Throws when a block is neither file, commands nor output. */
export function readRecipe(name: string, replaced: Record<string, string>): Steps {
  const text = replaceIn(readFileSync(join(directory, `${name}.md`), "utf8"), replaced)
  const steps: Steps = {
    files: [],
    commands: [],
    outputs: new Map(),
    usesPackage: text.includes(packageName) || text.includes("node_modules/.bin/petstore"),
    usesCheckout: /^\.\/petstore /m.test(text),
  }
  let endOfCommands = -1
  for (const match of text.matchAll(/^([^\n]*)\n\n?```(\w+)\n(.*?)^```$/gms)) {
    const [all, before = "", language, block = ""] = match
    const [, file] = /`([\w./-]+)`[^`]*:$/.exec(before) ?? []
    if (language === "sh") {
      steps.commands.push(...commandsOf(block))
      endOfCommands = match.index + all.length + 1
    } else if (file) {
      steps.files.push([file, block])
      if (language === "yaml")
        steps.commands.push(...[...block.matchAll(/^ +run: (.+)$/gm)].map(([, run]) => run as string))
    } else if (match.index === endOfCommands) {
      const command = steps.commands.at(-1) as string
      if (steps.outputs.has(command)) throw new Error(`${name} shows two outputs of ${command}`)
      steps.outputs.set(command, block)
    } else if (language !== "text") throw new Error(`${name}: no file is named before a block in ${language}`)
  }
  return steps
}

/**
 * Whether a command printed what its page shows. White space between words, times, durations and the ids of requests may differ;
 * `…` stands for text that the page omits.
 */
export const isShown = (shown: string, printed: string): boolean =>
  new RegExp(`^${comparable(shown).split("…").map(RegExp.escape).join(".*")}$`).test(comparable(printed))

const comparable = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/(?<=[[{,:]) | (?=[\]}])/g, "")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d\d:\d\d:\d\d(\.\d+)?|\b[\d.]+ ms\b/g, "TIME")
    .replace(/"requestId":"[\w-]+"/g, '"requestId":"ID"')

export const replaceIn = (text: string, replaced: Record<string, string>): string =>
  Object.entries(replaced).reduce((result, [from, to]) => result.replaceAll(from, to), text)

/** One command per line; a line that ends with a backslash continues on the next. */
const commandsOf = (block: string): string[] =>
  block
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
