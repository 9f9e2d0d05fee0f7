// Decision: docs/decisions/testing.md#faults-are-seeded-to-see-them-caught

import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { run } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { copySource } from "../../test/harness/package.ts"
import { readSeededFaults, type SeededFault } from "../../test/seeded/faults.ts"

/** A seeded fault, and how many of the tests that it names failed with it. */
type Seeded = SeededFault & { caught: number }

const filesAtOnce = 2

/** How many parts of the faults there are, of which the slow suite runs one a day. */
export const partsOfFaults = 7

/** The seeded faults of a part from 1, or all. */
export const faultsOf = (part?: number): SeededFault[] =>
  readSeededFaults().filter((_, n) => part === undefined || n % partsOfFaults === part - 1)

/**
 * Applies each seeded fault, or those of a part from 1, to a copy of the source and runs the tests that it names; without a
 * fault all of them pass.
 */
export async function runSeededFaults(part?: number): Promise<{ faults: Seeded[]; isWrong: boolean }> {
  using directory = temporaryDirectory()
  const copy = join(directory.path, "source")
  copySource(copy)
  const all = faultsOf(part)
  const tests = all.flatMap((fault) => fault.tests)
  const unsure = without(await outcomesOf(copy, tests), tests, "passed")
  for (const { file, title } of unsure) process.stdout.write(`FAILED  without a fault: ${file}: ${title}\n`)
  const faults: Seeded[] = []
  for (const fault of all) {
    execFileSync("git", ["apply", fault.patch], { cwd: copy })
    const missed = without(await outcomesOf(copy, fault.tests), fault.tests, "failed")
    execFileSync("git", ["apply", "--reverse", fault.patch], { cwd: copy })
    faults.push({ ...fault, caught: fault.tests.length - missed.length })
    process.stdout.write(`${missed.length > 0 ? "MISSED" : "caught"}  ${fault.name}\n`)
    for (const { file, title } of missed) process.stdout.write(`        ${file}: ${title}\n`)
  }
  return { faults, isWrong: unsure.length > 0 || faults.some(({ caught, tests }) => caught < tests.length) }
}

type Tests = SeededFault["tests"]
type Outcomes = Record<"passed" | "failed", string[]>

const without = (outcomes: Outcomes, tests: Tests, wanted: keyof Outcomes): Tests =>
  tests.filter(({ title }) => !outcomes[wanted].some((name) => name.endsWith(title)))

/** Runs tests of a copy of the source. One that took too long, or never ran, has no outcome. */
async function outcomesOf(copy: string, tests: Tests): Promise<Outcomes> {
  const outcomes: Outcomes = { passed: [], failed: [] }
  const report = run({
    files: [...new Set(tests.map(({ file }) => join(copy, file)))],
    cwd: copy,
    concurrency: filesAtOnce,
    execArgv: [`--import=${join(copy, "test", "harness", "open-handles.ts")}`],
    testNamePatterns: tests.map(({ title }) => new RegExp(`${RegExp.escape(title)}$`)),
  })
    .on("test:pass", ({ name, skip }) => skip === undefined && outcomes.passed.push(name))
    .on("test:fail", ({ name, details: { error } }) => {
      const isTooLong = "failureType" in error && /timeout|cancelled/i.test(String(error.failureType))
      if (!isTooLong) outcomes.failed.push(name)
    })
  await finished(report.resume())
  return outcomes
}
