import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageName } from "./package.ts"

const directory = join(import.meta.dirname, "..", "..", "docs", "recipes")

/** The steps of a page of docs/recipes. */
type Steps = {
  /** Each block that follows a line ending with a file name and a colon. */
  files: [name: string, text: string][]
  /** Each command of the blocks in `sh`. */
  commands: string[]
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
    usesPackage: text.includes(packageName),
    usesCheckout: /^\.\/petstore /m.test(text),
  }
  for (const [, before = "", language, block = ""] of text.matchAll(/^([^\n]*)\n\n?```(\w+)\n(.*?)^```$/gms)) {
    const [, file] = /`([\w.-]+)`[^`]*:$/.exec(before) ?? []
    if (language === "sh") steps.commands.push(...commandsOf(block))
    else if (file) steps.files.push([file, block])
    else if (language !== "text") throw new Error(`${name}: no file is named before a block in ${language}`)
  }
  return steps
}

export const replaceIn = (text: string, replaced: Record<string, string>): string =>
  Object.entries(replaced).reduce((result, [from, to]) => result.replaceAll(from, to), text)

/** One command per line; a line that ends with a backslash continues on the next. */
const commandsOf = (block: string): string[] =>
  block
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
