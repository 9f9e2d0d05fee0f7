// Runs beside two other files at most.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import type { TaskVerdict } from "../../src/examiner/verdict.ts"
import { chapters } from "../../src/parts/sandbox/exam/chapters.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { usePetstore } from "../harness/use.ts"

// The adapters wait in real time.
const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
const here = import.meta.dirname
const examples = join(here, "..", "..", "examples", "exam")
const tasks = chapters.flatMap((chapter) => chapter.tasks.map(({ name }) => name))
const run = (...args: string[]) => petstoreCommand(petstore.url, ["exam", ...args])

describe("petstore exam", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("a client that does each task right passes each, also as JUnit", async () => {
    using directory = temporaryDirectory()
    const junit = join(directory.path, "exam.xml")
    const client = [
      process.execPath,
      "--import",
      join(here, "exam", "resolve-package.mjs"),
      join(examples, "petstore.mjs"),
    ]
    const { code, out, err } = await run("--junit", junit, "--", ...client)
    assert.match(out, new RegExp(`\n${tasks.length} of ${tasks.length} passed\n$`), err)
    assert.equal(code, 0)
    assert.equal(readFileSync(junit, "utf8").match(/<testcase /g)?.length, tasks.length)
  })

  test("a client that does each task wrong misses each, and the verdicts say what was observed", async () => {
    const { code, out, err } = await run("--json", "--", process.execPath, join(here, "exam", "wrong.mjs"))
    assert.equal(code, 1, err)
    const verdicts: TaskVerdict[] = JSON.parse(out)
    assert.deepEqual(
      verdicts.map(({ name, outcome }) => ({ name, outcome })),
      tasks.map((name) => ({ name, outcome: "missed" })),
      JSON.stringify(verdicts, undefined, 1),
    )
    for (const { name: task, observed = "" } of verdicts) {
      assert.notEqual(observed, "", task)
      assert.doesNotMatch(observed, /^nothing was said|the adapter ended|is not JSON/, task)
    }
  })
})
