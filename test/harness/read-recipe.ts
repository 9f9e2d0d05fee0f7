import { readFileSync } from "node:fs"
import { join } from "node:path"

const directory = join(import.meta.dirname, "..", "..", "docs", "recipes")

/** What there is to do on a page of docs/recipes. */
type Steps = {
  /** Each block after a line that ends with the name of a file and a colon. */
  files: [name: string, text: string][]
  /** Each command of the blocks in `sh`. */
  commands: string[]
  usesPackage: boolean
}

/** Reads a page; `replaced` are addresses in it and what they become. Throws when a block is neither file, commands nor output. */
export function readRecipe(name: string, replaced: Record<string, string>): Steps {
  const text = replaceIn(readFileSync(join(directory, `${name}.md`), "utf8"), replaced)
  const steps: Steps = { files: [], commands: [], usesPackage: /npx petstore |from "petstore/.test(text) }
  for (const [, before = "", language, block = ""] of text.matchAll(/^([^\n]*)\n\n?```(\w+)\n(.*?)^```$/gms)) {
    const [, file] = /`([\w.-]+)`[^`]*:$/.exec(before) ?? []
    if (language === "sh") steps.commands.push(...commandsOf(block))
    else if (file) steps.files.push([file, block])
    else if (language !== "text") throw new Error(`${name}: no file is named before a block in ${language}`)
  }
  return steps
}

export const replaceIn = (text: string, replaced: Record<string, string>): string =>
  Object.entries(replaced).reduce((so, [from, to]) => so.replaceAll(from, to), text)

/** One a line; a line that ends with a backslash goes on in the next. */
const commandsOf = (block: string): string[] =>
  block
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
