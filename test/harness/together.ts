import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe } from "node:test"

export const root = join(import.meta.dirname, "..", "..")

/** How a test file runs, as its first line states it; without such a line, together with others. */
const manners = {
  "in a process of its own": "// Runs in a process of its own.",
  "beside one other": "// Runs beside one other file at most.",
  alone: "// Runs alone.",
} as const
export type Manner = keyof typeof manners | "together"

export const howToRun = (file: string): Manner => mannerOf(readFileSync(join(root, file), "utf8"))

/** Throws on a first line that looks like a statement and is none. */
export function mannerOf(text: string): Manner {
  const [first = ""] = text.split("\n", 1)
  const stated = Object.entries(manners).find(([, line]) => line === first)
  if (!stated && first.startsWith("// Runs")) throw new Error(`unknown way to run: ${first}`)
  return (stated?.[0] as Manner | undefined) ?? "together"
}

/** Groups of plain test files, by path; the first that matches counts. */
const groups = {
  domain: /^src\/domain\//,
  "command-line": /^src\/(cli|client)\//,
  service: /^src\//,
  pages: /^test\/web\//,
  oauth: /^test\/http\/oauth\//,
  surface: /^test\//,
}
export type Group = keyof typeof groups

export const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: root }).sort()

/**
 * Plain test files by how they run: the files of a group share a process and run one after the other, because loading and
 * starting the service takes longer than most of them. Files without a group have a process of their own.
 */
export const plainFiles = (): Map<Group | undefined, string[]> =>
  Map.groupBy(filesOf(["src/**/*.test.ts", "test/*.test.ts", "test/!(slow)/**/*.test.ts"]), (file) =>
    howToRun(file) === "together" ? groupOf(file) : undefined,
  )

const groupOf = (file: string): Group | undefined =>
  (Object.keys(groups) as Group[]).find((group) => groups[group].test(file))

/** Runs the tests of a group's files in this process, those of each file in a suite, so that its hooks are its own. */
export function runTogether(group: Group): void {
  const require = createRequire(import.meta.url)
  for (const file of plainFiles().get(group) ?? []) describe(file, () => void require(join(root, file)))
}
