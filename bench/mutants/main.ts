// Changes the source at random and shows which changes no plain test notices. Run: npm run mutants -- 50
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { filesOf } from "../../test/harness/together.ts"
import { type Checkout, copyCheckout } from "./checkout.ts"
import { isAccepted, judgeAlone, judgeTogether, type Run, type Suspect, testsFor } from "./judge.ts"
import { type Mutant, overlap, positionOf, showMutant, shuffle } from "./mutate.ts"
import { measureReach } from "./reach.ts"
import { isReviewed } from "./reviewed.ts"
import { openTypeChecker } from "./types.ts"

/** Files that plain tests cannot judge, and why. */
const excluded: readonly [pattern: RegExp, reason: string][] = [
  [
    /^src\/(storage\/(postgres|redis|s3)\/|operator\/archive\/bucket\.ts)/,
    "needs PostgreSQL, Redis or S3, which only slow tests start",
  ],
  [
    /^src\/examiner\/exam\/chapters\//,
    "judged by clients that do each task wrong, which only test/slow/exam.test.ts starts",
  ],
  [/^src\/observability\/open-telemetry\.ts/, "needs a collector, which only test/slow/tracing.test.ts starts"],
  [
    /^src\/client\/(operations\/|routes\.ts)|^src\/site\/pages\/reference\/results\.ts/,
    "generated, compared by test/golden.test.ts",
  ],
]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, in: { type: "string", multiple: true, default: ["src"] } },
})
const wanted = Number(positionals[0] ?? 50)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
if (!Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  process.stderr.write("Run: npm run mutants -- COUNT [--seed N] [--in PATH]…\n")
  process.exit(2)
}

const root = join(import.meta.dirname, "..", "..")
const start = performance.now()
const tell = (line: string) => void process.stdout.write(`${line}\n`)
const read = (file: string) => readFileSync(join(root, file), "utf8")

tell(`seed ${seed}`)
for (const [pattern, reason] of excluded) tell(`left out: ${pattern.source.replaceAll("\\", "")} (${reason})`)
using types = openTypeChecker(root)
const files = filesOf(["src/**/!(*.test).ts"]).filter(
  (file) =>
    values.in.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)) &&
    !excluded.some(([pattern]) => pattern.test(file)),
)
const possible = files.flatMap((file) => types.mutantsOf(file))
const mutants = shuffle(
  possible.filter((mutant) => !isReviewed(read(mutant.file), mutant)),
  seed,
)
tell(
  `${mutants.length} mutants in ${files.length} files; ${possible.length - mutants.length} left out by bench/mutants/reviewed.ts`,
)

const cores = availableParallelism()
const copies = Array.from({ length: cores + 1 }, (_, n) => copyCheckout(root, `copy-${n}`)) as [Checkout, ...Checkout[]]
const reaches = await measureReach(root, copies[0], cores + 2, tell)
for (const [test, { passed }] of reaches) if (!passed) tell(`left out: ${test} (fails without a mutant)`)

const secondsOf = (test: string) => reaches.get(test)?.seconds ?? 1
const counts = { caught: 0, survived: 0, refused: 0 }
const queue = mutants.values()
const suspects: Suspect[] = []
let started = 0
await Promise.all(copies.map(judgeEachAlone))
for (let rest = suspects; rest.length > 0; ) rest = await judgeRest(rest)

const seconds = Math.round((performance.now() - start) / 1000)
const judged = counts.caught + counts.survived
tell(
  `${counts.caught} of ${judged} caught, ${counts.survived} survived; ${counts.refused} more do not compile; seed ${seed}, ${seconds} s`,
)
process.exit(isAccepted(counts.survived, judged) ? 0 : 1)

async function judgeEachAlone(checkout: Checkout): Promise<void> {
  while (started < wanted) {
    const { value: mutant } = queue.next()
    if (mutant === undefined) return
    if (!types.compiles(mutant)) {
      counts.refused++
      continue
    }
    started++
    const verdict = await judgeAlone({ mutant, tests: testsFor(mutant, reaches) }, secondsOf, runIn(checkout))
    if (typeof verdict === "string") reportCaught(mutant, verdict)
    else {
      suspects.push(verdict)
      tell(`      not caught yet  ${positionOf(read(mutant.file), mutant)}`)
    }
  }
}

/** Judges mutants that do not overlap; returns the others. */
async function judgeRest(rest: readonly Suspect[]): Promise<Suspect[]> {
  const group: Suspect[] = []
  for (const suspect of rest) if (!group.some(({ mutant }) => overlap(mutant, suspect.mutant))) group.push(suspect)
  const survivors = new Set(types.compiling(group.map(({ mutant }) => mutant)))
  counts.refused += group.length - survivors.size
  const compiling = group.filter(({ mutant }) => survivors.has(mutant))
  await judgeTogether(compiling, secondsOf, copies.map(runIn), (mutant, by) => {
    survivors.delete(mutant)
    reportCaught(mutant, by)
  })
  for (const mutant of survivors) {
    counts.survived++
    const { length } = testsFor(mutant, reaches)
    tell(
      `SURVIVED ${length === 0 ? "no plain test runs it" : `${length} test files`}\n${showMutant(read(mutant.file), mutant)}`,
    )
  }
  return rest.filter((suspect) => !group.includes(suspect))
}

function runIn(checkout: Checkout): Run {
  return (mutants, tests) => {
    checkout.apply(mutants)
    const expectedMs = 1000 * tests.reduce((sum, test) => sum + secondsOf(test), 0)
    return checkout.run(tests, { timeoutMs: 20_000 + 3 * expectedMs })
  }
}

function reportCaught(mutant: Mutant, by: string): void {
  counts.caught++
  tell(`${String(counts.caught).padStart(4)}  caught by ${by}  ${positionOf(read(mutant.file), mutant)}`)
}
