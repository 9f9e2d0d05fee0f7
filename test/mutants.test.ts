import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import type { Ending } from "../bench/mutants/checkout.ts"
import { isAccepted, judgeAlone, judgeTogether, testsFor } from "../bench/mutants/judge.ts"
import { applyMutants, type Mutant, overlap, showMutant, shuffle } from "../bench/mutants/mutate.ts"
import { isReviewed, outdated } from "../bench/mutants/reviewed.ts"
import { openTypeChecker } from "../bench/mutants/types.ts"
import { temporaryDirectory } from "./harness/directory.ts"

const snippet = [
  'import { join } from "node:path"',
  "type Port = 8080 | false",
  "const secondsMax = 60",
  "export function wait(seconds: number, log: string[]): number | undefined {",
  "  if (seconds <= 0) return undefined",
  '  log.push(join("waits", "-"))',
  "  return Math.min(seconds, secondsMax) * 1_000",
  "}",
  "export const isOpen = (port?: Port) => (port ?? 8080) !== false && !wait.name",
  "",
].join("\n")

describe("mutants", () => {
  const opened = new DisposableStack()
  after(() => opened.dispose())
  const directory = opened.use(temporaryDirectory())
  writeFileSync(join(directory.path, "wait.ts"), snippet)
  const options = { strict: true, module: "esnext", noUnusedLocals: true, lib: ["esnext"], types: [] }
  writeFileSync(join(directory.path, "tsconfig.json"), JSON.stringify({ compilerOptions: options }))
  writeFileSync(
    join(directory.path, "path.d.ts"),
    'declare module "node:path" { function join(...parts: string[]): string }',
  )
  const types = opened.use(openTypeChecker(directory.path))
  const mutants = types.mutantsOf("wait.ts")
  const changeOf = (mutant: Mutant) => `${snippet.slice(mutant.start, mutant.end)} → ${mutant.text}`

  test("conditions, bounds, operators, calls and statements change; types, imports, texts and other numbers do not", () => {
    assert.deepEqual(mutants.map(changeOf), [
      "60 → 61",
      "60 → 59",
      "seconds <= 0 → !(seconds <= 0)",
      "if (seconds <= 0) return undefined → ;",
      "<= → <",
      "<= → >",
      "0 → 1",
      'log.push(join("waits", "-")) → ;',
      "* → /",
      "min → max",
      "&& → ||",
      "!== → ===",
      "port ?? 8080 → 8080",
      "8080 → 16160",
      "8080 → 4040",
      "false → true",
      "!wait.name → wait.name",
    ])
    assert.deepEqual(mutants.filter(({ isAtTop }) => isAtTop).map(changeOf), ["60 → 61", "60 → 59"])
  })

  test("a mutant that does not compile is distinguished from one that does", () => {
    const refused = mutants.filter((mutant) => !types.compiles(mutant)).map(changeOf)
    assert.deepEqual(refused, ['log.push(join("waits", "-")) → ;', "port ?? 8080 → 8080", "false → true"])
    const compiling = mutants.filter((mutant) => !refused.includes(changeOf(mutant)))
    assert.deepEqual(types.compiling(mutants), compiling)
  })

  test("a seed determines which mutants are drawn", () => {
    const drawn = (seed: number) => shuffle(mutants, seed).slice(0, 9)
    assert.deepEqual(drawn(7), drawn(7))
    assert.notDeepEqual(drawn(7), drawn(8))
    assert.deepEqual(new Set(shuffle(mutants, 7)), new Set(mutants))
  })

  test("a mutant is shown with its lines; those that do not overlap are applied together", () => {
    const named = (change: string) => mutants.find((mutant) => changeOf(mutant) === change) as Mutant
    const [bound, factor] = [named("<= → <"), named("* → /")]
    assert.equal(
      showMutant(snippet, bound),
      "wait.ts:5\n-   if (seconds <= 0) return undefined\n+   if (seconds < 0) return undefined",
    )
    assert.match(applyMutants(snippet, [bound, factor]), /< 0.*\/ 1_000/s)
    assert.equal(overlap(bound, factor), false)
    assert.equal(overlap(bound, named("if (seconds <= 0) return undefined → ;")), true)
  })
})

test("the code that a review left out is in the source, each once", () => {
  assert.deepEqual(
    outdated((file) => readFileSync(join(import.meta.dirname, "..", file), "utf8")),
    [],
  )
})

test("a review leaves out the changes of its code, or one of them", () => {
  const change = { ...mutant(9, "a.ts"), end: 10, text: "<=" }
  const isLeftOut = (file: string, code: string, becomes?: string) =>
    isReviewed("while (a < b) run()", change, [{ file, code, ...(becomes && { becomes }) }])
  assert.deepEqual(
    [isLeftOut("a.ts", "a < b"), isLeftOut("b.ts", "a < b"), isLeftOut("a.ts", "run()")],
    [true, false, false],
  )
  assert.deepEqual([isLeftOut("a.ts", "a < b", "a <= b"), isLeftOut("a.ts", "a < b", "a >= b")], [true, false])
})

const mutant = (at: number, file = "src/domain/pets/rules.ts"): Mutant => ({
  file,
  at,
  start: at,
  end: at,
  text: ";",
  isAtTop: false,
})
const passed: Ending = { passed: true }
const failed = (file: string, isLate = false): Ending => ({ passed: false, file, isLate })

test("the tests of a mutant are those that ran its code and pass without it, the most specific first", () => {
  const reach = (sources: Record<string, number[]>, passed = true) => ({ passed, seconds: 1, sources })
  const reaches = new Map([
    ["test/other.test.ts", reach({ "src/domain/pets/rules.ts": [0, 50] })],
    ["test/pets/pets.test.ts", reach({ "src/domain/pets/rules.ts": [0, 50] })],
    ["test/broken.test.ts", reach({ "src/domain/pets/rules.ts": [0, 50] }, false)],
    ["test/loads.test.ts", reach({ "src/domain/pets/rules.ts": [] })],
    ["test/beyond.test.ts", reach({ "src/domain/pets/rules.ts": [0, 5, 11, 50] })],
  ])
  assert.deepEqual(testsFor(mutant(10), reaches), ["test/pets/pets.test.ts", "test/other.test.ts"])
  assert.equal(testsFor({ ...mutant(10), isAtTop: true }, reaches).length, 4)
  assert.deepEqual(testsFor(mutant(50), reaches), [])
})

describe("a mutant", () => {
  const suspect = { mutant: mutant(1), tests: ["test/together.test.ts", "test/static.test.ts", "test/floors.test.ts"] }
  const alone = async (...endings: Ending[]) => {
    const runs: string[][] = []
    const verdict = await judgeAlone(
      suspect,
      () => 2,
      async (_, tests) => {
        runs.push([...tests])
        return endings[runs.length - 1] ?? passed
      },
    )
    return { verdict, runs }
  }

  test("is caught by a test file that fails twice, or takes too long", async () => {
    const [first = ""] = suspect.tests
    assert.deepEqual((await alone(failed(first), failed(first))).verdict, first)
    assert.deepEqual((await alone(failed(first, true))).verdict, first)
  })

  test("is not caught by one that fails once", async () => {
    const [first = "", ...others] = suspect.tests
    const { verdict, runs } = await alone(failed(first))
    assert.deepEqual(runs[1], [first])
    assert.ok(typeof verdict === "object" && verdict.tests.every((test) => others.includes(test)))
  })

  test("survives when the other tests pass with all that are left; a test that fails judges each alone", async () => {
    const [a, b] = [mutant(1), mutant(9)]
    const caught: [Mutant, string][] = []
    const test = "test/floors.test.ts"
    const run = async (mutants: readonly Mutant[], tests: readonly string[]) =>
      tests.includes(test) && mutants.includes(b) ? failed(test) : passed
    const suspects = [
      { mutant: a, tests: [test, "test/static.test.ts"] },
      { mutant: b, tests: [test] },
    ]
    await judgeTogether(
      suspects,
      () => 2,
      [run, run],
      (mutant, by) => caught.push([mutant, by]),
    )
    assert.deepEqual(caught, [[b, test]])
  })
})

test("at most one of fifty may survive", () => {
  assert.deepEqual(
    [isAccepted(1, 50), isAccepted(2, 50), isAccepted(3, 150), isAccepted(1, 10)],
    [true, false, true, false],
  )
})
