import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import type { TaskVerdict } from "../../examiner/verdict.ts"
import { UsageError } from "../command/command.ts"
import { reportVerdicts, selectTasks, showProgress } from "./verdicts.ts"

const input = (flags: Record<string, string>) => ({
  arguments: {},
  flags: Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value]])),
  rest: [],
})
const verdict = (chapter: string, name: string, outcome: TaskVerdict["outcome"], more: object = {}): TaskVerdict => ({
  chapter,
  name,
  outcome,
  expects: `${name} works`,
  ...more,
})
const passed = verdict("reading", "one-pet", "passed")
const missed = verdict("reading", "a-page", "missed", { observed: "nothing", requests: ["+0 ms GET /pet 200"] })
const silent = verdict("writing", "a-retry", "missed", { observed: "one request" })
const unclaimed = verdict("writing", "a-key", "unclaimed", { observed: "it has no keys" })

test("verdicts are printed by chapter, those that are missed with the evidence, and the exit code is 1", async () => {
  const paint = {
    out: (format: string, text: string) => `<${format}>${text}</>`,
    err: (_: string, text: string) => text,
  }
  const { terminal, written } = recordTerminal({ paint })
  const code = await reportVerdicts([passed, missed, silent, unclaimed], input({}), { json: false, terminal })
  assert.equal(code, 1)
  assert.deepEqual(written, {
    out: `
<bold>reading</>  1 of 2 passed
  passed  one-pet
  <red>missed</>  a-page
      a-page works
      Observed: nothing
      +0 ms GET /pet 200

<bold>writing</>  0 of 1 passed, 1 not claimed
  <red>missed</>  a-retry
      a-retry works
      Observed: one request
  not claimed  a-key

1 of 3 passed, 1 not claimed
`,
    err: "",
  })
})

test("what was not measured is neither passed nor missed, and the exit code is 1", async () => {
  const { terminal, written } = recordTerminal()
  const unmeasured = verdict("reading", "a-page", "unmeasured", { observed: "the adapter ended" })
  assert.equal(await reportVerdicts([passed, unmeasured], input({}), { json: false, terminal }), 1)
  const lines = ["", "reading  1 of 1 passed, 1 not measured", "  passed  one-pet", "  not measured  a-page"]
  const evidence = ["      a-page works", "      Observed: the adapter ended", "", "1 of 1 passed, 1 not measured", ""]
  assert.deepEqual(written, { out: [...lines, ...evidence].join("\n"), err: "" })
})

test("what is not claimed is no failure, and verdicts are also written as JSON and JUnit XML", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "report.xml")
  const { terminal, written } = recordTerminal()
  const code = await reportVerdicts([passed, unclaimed], input({ junit: file }), { json: true, terminal })
  assert.deepEqual({ code, ...written }, { code: 0, out: `${JSON.stringify([passed, unclaimed])}\n`, err: "" })
  assert.match(readFileSync(file, "utf8"), /<testsuite name="reading" tests="1" failures="0" errors="0" skipped="0">/)
})

test("the tasks that are named, or all of a chapter that is named, are selected", () => {
  const task = (name: string) => ({ name, expects: "" })
  const all = [
    { name: "reading", tasks: [task("one-pet"), task("a-page")] },
    { name: "writing", tasks: [task("a-retry"), task("a-key")] },
  ]
  const selected = (only?: string) => {
    const { chapters, total } = selectTasks(all, input(only === undefined ? {} : { only }), "docs/exam.md")
    return [chapters.map(({ name, tasks }) => `${name}: ${tasks.map((each) => each.name).join(" ")}`), total]
  }
  assert.deepEqual(selected(), [["reading: one-pet a-page", "writing: a-retry a-key"], 4])
  assert.deepEqual(selected("a-page, writing"), [["reading: a-page", "writing: a-retry a-key"], 3])
  assert.deepEqual(selected("a-key"), [["reading: ", "writing: a-key"], 1])
  assert.throws(
    () => selected("a-pag"),
    new UsageError('"a-pag" is neither a task nor a chapter; did you mean a-page?'),
  )
  assert.throws(() => selected("a-page,xyz"), new UsageError('"xyz" is neither a task nor a chapter; see docs/exam.md'))
})

test("each verdict is a line of progress", () => {
  const { terminal, written } = recordTerminal()
  const show = showProgress(4, terminal)
  show(passed, 1)
  show(missed, 2)
  assert.deepEqual(written, { out: "", err: "1 of 4  one-pet  passed\n2 of 4  a-page  missed\n" })
})
