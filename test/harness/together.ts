import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe } from "node:test"

export const root = join(import.meta.dirname, "..", "..")

/** How a test file runs, as stated on its first line; without a statement, together with others. */
const runModes = {
  "in a process of its own": "// Runs in a process of its own.",
  "beside two others": "// Runs beside two other files at most.",
  alone: "// Runs alone.",
} as const
export type RunMode = keyof typeof runModes | "together"

export const runModeOf = (file: string): RunMode => parseRunMode(readFileSync(join(root, file), "utf8"))

/** Throws on a first line that looks like a statement but is unknown. */
export function parseRunMode(text: string): RunMode {
  const [first = ""] = text.split("\n", 1)
  const stated = Object.entries(runModes).find(([, line]) => line === first)
  if (!stated && first.startsWith("// Runs")) throw new Error(`unknown way to run: ${first}`)
  return (stated?.[0] as RunMode | undefined) ?? "together"
}

/** Groups of plain test files, by path; the first match applies. */
const groups = {
  modules: /^src\//,
  nouns: /^test\/(cases\.test|(accounts|events|images|orders|pets|users|webhooks)\/)/,
  "command-line": /^test\/(cli|client)\//,
  pages: /^test\/(oauth|web)\//,
  storage: /^test\/(conformance|operator|properties|storage|workers)\//,
  http: /^test\/(contract\.test|(http|mcp|v2)\/)/,
  surface: /^test\//,
}
export type Group = keyof typeof groups

export const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: root }).sort()

/**
 * Plain test files by group. The files of a group run in one process, one after the other, because loading and starting the
 * service takes longer than most of them. Files without a group have a separate process.
 */
export const plainFiles = (): Map<Group | undefined, string[]> =>
  Map.groupBy(filesOf(["src/**/*.test.ts", "test/*.test.ts", "test/!(slow)/**/*.test.ts"]), groupToRun)

const groupToRun = (file: string): Group | undefined => (runModeOf(file) === "together" ? groupOf(file) : undefined)

const groupOf = (file: string): Group | undefined =>
  (Object.keys(groups) as Group[]).find((group) => groups[group].test(file))

/** Ends the name of a test or suite that takes longer than a quarter of a second: the slow suite runs it. */
export const slowName = / \(slow\)/

/** The groups and files of the plain run that have such tests. */
export const plainFilesWithSlow = (): Map<Group | undefined, string[]> =>
  Map.groupBy(
    [...plainFiles().values()].flat().filter((file) => slowName.test(readFileSync(join(root, file), "utf8"))),
    groupToRun,
  )

/** Runs the tests of a group in this process; each file is a suite, so that its hooks apply to it alone. */
export function runTogether(group: Group): void {
  const require = createRequire(import.meta.url)
  for (const file of plainFiles().get(group) ?? []) describe(file, () => void require(join(root, file)))
}
