import { writeFileSync } from "node:fs"
import { findNearest } from "../../core/kernel/did-you-mean.ts"
import { visible } from "../../core/kernel/visible.ts"
import type { ChapterOf, TaskVerdict } from "../../examiner/verdict.ts"
import { type CommandInput, type Flag, one, UsageError, type World } from "../command/command.ts"

/** The flags of a command that gives verdicts. */
export const verdictFlags: readonly Flag[] = [
  { name: "only", value: "NAMES", meaning: "Only these tasks or chapters, separated by commas" },
  { name: "junit", value: "FILE", meaning: "Also write the verdicts as JUnit XML" },
]

type Named = { name: string; expects: string }

/** The chapters with the tasks that `--only` names, and their number. `page` is where they are listed. */
export function selectTasks<Task extends Named>(
  all: readonly ChapterOf<Task>[],
  input: CommandInput,
  page: string,
): { chapters: readonly ChapterOf<Task>[]; total: number } {
  const names = namesIn(all, one(input, "only"), page)
  const isChosen = (chapter: string, task: string) => names.size === 0 || names.has(chapter) || names.has(task)
  const chapters = all.map(({ name, tasks }) => ({ name, tasks: tasks.filter((task) => isChosen(name, task.name)) }))
  return { chapters, total: chapters.reduce((sum, { tasks }) => sum + tasks.length, 0) }
}

/** The names of chapters and tasks in a list with commas. `page` is where they are listed. */
export function namesIn(all: readonly ChapterOf<Named>[], list: string | undefined, page: string): ReadonlySet<string> {
  const names = new Set(list?.split(",").map((name) => name.trim()))
  const known = all.flatMap(({ name, tasks }) => [name, ...tasks.map((task) => task.name)])
  for (const name of names)
    if (!known.includes(name)) {
      const near = findNearest(name, known)
      const hint = near === undefined ? `see ${page}` : `did you mean ${near}?`
      throw new UsageError(`${JSON.stringify(name)} is neither a task nor a chapter; ${hint}`)
    }
  return names
}

/** Writes a line for each verdict as soon as it is known. */
export const showProgress =
  (total: number, { err }: World["terminal"]) =>
  ({ name, outcome }: TaskVerdict, done: number): void =>
    err(`${done} of ${total}  ${name}  ${outcome}\n`)

/** Prints the verdicts, also to the file of `--junit`. Resolves with the exit code: 1 when a task is missed or not measured. */
export async function reportVerdicts(
  verdicts: readonly TaskVerdict[],
  input: CommandInput,
  { json, terminal }: Pick<World, "json" | "terminal">,
): Promise<number> {
  const file = one(input, "junit")
  if (file !== undefined) {
    const { writeJunit } = await import("../../examiner/write-junit.ts")
    writeFileSync(file, writeJunit(verdicts))
  }
  if (json) terminal.out(`${JSON.stringify(verdicts)}\n`)
  else print(verdicts, terminal)
  return verdicts.some(isBad) ? 1 : 0
}

const isBad = ({ outcome }: TaskVerdict): boolean => outcome === "missed" || outcome === "unmeasured"
const words = { passed: "passed", missed: "missed", unclaimed: "not claimed", unmeasured: "not measured" }

function print(verdicts: readonly TaskVerdict[], { out, paint }: World["terminal"]): void {
  for (const [chapter, tasks] of Map.groupBy(verdicts, (verdict) => verdict.chapter)) {
    out(`\n${paint.out("bold", chapter)}  ${scoreOf(tasks)}\n`)
    for (const task of tasks) {
      const { name, outcome, expects, source, observed, requests = [] } = task
      out(`  ${isBad(task) ? paint.out("red", words[outcome]) : words[outcome]}  ${name}\n`)
      if (isBad(task))
        out(
          [source === undefined ? expects : `${expects} (${source})`, `Observed: ${observed}`, ...requests]
            .map((line) => `      ${visible(line)}\n`)
            .join(""),
        )
    }
  }
  out(`\n${scoreOf(verdicts)}\n`)
  const sources = Map.groupBy(verdicts, ({ source }) => source?.split(" ")[0])
  if (sources.size > 1) for (const [source, tasks] of sources) out(`  ${source}: ${scoreOf(tasks)}\n`)
}

function scoreOf(verdicts: readonly TaskVerdict[]): string {
  const count = (outcome: TaskVerdict["outcome"]) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const others = (["unclaimed", "unmeasured"] as const).map((outcome) => [count(outcome), words[outcome]] as const)
  const left = others.filter(([number]) => number > 0).map(([number, word]) => `, ${number} ${word}`)
  return `${count("passed")} of ${count("passed") + count("missed")} passed${left.join("")}`
}
