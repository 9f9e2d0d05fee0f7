import { runModeOf } from "../../test/harness/together.ts"
import type { Ending } from "./checkout.ts"
import type { Mutant } from "./mutate.ts"
import type { Reach } from "./reach.ts"

/** A mutant that no test has caught yet, and the test files that run its code and have not judged it, the most specific first. */
export type Suspect = { mutant: Mutant; tests: readonly string[] }

/** Runs test files with these mutants until one fails. */
export type Run = (mutants: readonly Mutant[], tests: readonly string[]) => Promise<Ending>

/** Test files that run the code of a mutant, the most specific first; those that fail without one cannot judge it. */
export function testsFor({ file, at, isAtTop }: Mutant, reaches: ReadonlyMap<string, Reach>): string[] {
  const words = wordsOf(file)
  const ranked = [...reaches].flatMap(([test, { passed, seconds, sources }]) => {
    const stretches = sources[file]
    if (!passed || !stretches || !(isAtTop || isWithin(stretches, at))) return []
    const shared = wordsOf(test).filter((word) => words.includes(word)).length
    const covered = stretches.reduce((sum, bound, n) => sum + (n % 2 === 0 ? -bound : bound), 0)
    return { test, rank: ((1 + shared) * (100 + covered)) / (1 + seconds) }
  })
  return ranked.sort((a, b) => b.rank - a.rank).map(({ test }) => test)
}

const wordsOf = (path: string): string[] =>
  [...new Set(path.match(/\w+/g))].filter((word) => !/^(src|test|ts)$/.test(word))

/** An offset outside has an even number of bounds before it. */
const isWithin = (stretches: readonly number[], at: number): boolean =>
  stretches.filter((bound) => bound <= at).length % 2 === 1

/** The first of these tests that takes no more seconds; they may share a process. */
function takeBatch(
  tests: readonly string[],
  secondsMax: number,
  secondsOf: (test: string) => number,
): [string, ...string[]] {
  const [first = "", ...others] = tests
  const batch: [string, ...string[]] = [first]
  if (runModeOf(first) !== "together") return batch
  let seconds = secondsOf(first)
  for (const test of others) {
    seconds += secondsOf(test)
    if (seconds > secondsMax || runModeOf(test) !== "together") break
    batch.push(test)
  }
  return batch
}

/** Whether a test file catches a mutant that it has failed with: it fails again, or took too long. A file that fails once is unreliable. */
const confirms = async (ending: Ending, mutant: Mutant, run: Run): Promise<boolean> =>
  !ending.passed && (ending.isLate || !(await run([mutant], [ending.file])).passed)

/** Runs the most specific tests of a mutant, of some seconds; the name of the file that catches it, or what is left. */
export async function judgeAlone(
  { mutant, tests }: Suspect,
  secondsOf: (test: string) => number,
  run: Run,
): Promise<string | Suspect> {
  let rest = tests
  for (const seconds of [3, 9]) {
    if (rest.length === 0) break
    const batch = takeBatch(rest, seconds, secondsOf)
    const ending = await run([mutant], batch)
    if (!ending.passed && (await confirms(ending, mutant, run))) return ending.file
    rest = rest.slice(ending.passed ? batch.length : batch.indexOf(ending.file) + 1)
  }
  return { mutant, tests: rest }
}

/**
 * Runs the other tests once with all mutants that are left, because most survive. When a file fails, it judges each of them alone.
 * Each of the runners takes the next tests.
 */
export async function judgeTogether(
  suspects: readonly Suspect[],
  secondsOf: (test: string) => number,
  runners: readonly Run[],
  caught: (mutant: Mutant, by: string) => void,
): Promise<void> {
  const left = new Set(suspects)
  const started = new Set<string>()
  const waiting = () => [...new Set([...left].flatMap(({ tests }) => tests))].filter((test) => !started.has(test))
  const examine = async (run: Run) => {
    for (let tests = waiting(); tests.length > 0; tests = waiting()) {
      const batch = takeBatch(tests, 20, secondsOf)
      for (const test of batch) started.add(test)
      const ending = await run(
        [...left].map(({ mutant }) => mutant),
        batch,
      )
      if (ending.passed) continue
      for (const test of batch.slice(batch.indexOf(ending.file) + 1)) started.delete(test)
      for (const suspect of left) {
        if (!suspect.tests.includes(ending.file)) continue
        if (!(await confirms(await run([suspect.mutant], [ending.file]), suspect.mutant, run))) continue
        if (left.delete(suspect)) caught(suspect.mutant, ending.file)
      }
    }
  }
  await Promise.all(runners.map(examine))
}

/** At most one in fifty may survive. */
export const isAccepted = (survivors: number, mutants: number): boolean => survivors <= Math.round(mutants / 50)
