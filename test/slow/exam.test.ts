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

// The adapters wait in real time. Of those in examples/exam only this project's runs here: the others need packages and compilers, and
// `npm run results exam` runs them.
const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
const here = import.meta.dirname
const examples = join(here, "..", "..", "examples", "exam")
const tasks = chapters.flatMap((chapter) => chapter.tasks.map(({ name }) => name))
const run = (...args: string[]) => petstoreCommand(petstore.url, ["exam", ...args])

describe("petstore exam", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("a client that does each task right passes each, also as JUnit", async () => {
    using directory = temporaryDirectory()
    const junit = join(directory.path, "exam.xml")
    const client = [process.execPath, join(here, "exam", "right.mjs")]
    const { code, out, err } = await run("--junit", junit, "--", ...client)
    assert.match(out, new RegExp(`\n${tasks.length} of ${tasks.length} passed\n`), err)
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

  test("a client that waits a fixed time, comes early or late, misses both tasks of Retry-After", async () => {
    const examined = ["2000", "6000", "early"].map(async (way) => {
      const client = [process.execPath, join(here, "exam", "waits.mjs"), way]
      const { out, err } = await run("--json", "--only", "waits-in-seconds,waits-until-a-date", "--", ...client)
      const verdicts: TaskVerdict[] = JSON.parse(out)
      for (const { observed } of verdicts)
        assert.match(observed ?? "", way === "6000" ? /ms later$/ : /too early$/, way)
      assert.deepEqual(
        verdicts.map(({ outcome }) => outcome),
        ["missed", "missed"],
        err,
      )
    })
    await Promise.all(examined)
  })

  test("an adapter that says anything, and whose client sends nothing, has a verdict on each task, and passes none", async () => {
    const [pet, url] = [{ id: 1, name: "Cat 1", photoUrls: [] }, "http://127.0.0.1:9/"]
    /** What is said of a list or a receiver, and of a pet. */
    const results = [
      ["done", {}],
      [[], null],
      [url, pet],
    ].map((pair) => pair.map((result) => ({ result })))
    const examined = [...results, [{ error: "no" }, { error: "no" }]].map(async (said) => {
      const script = 'while read -r line; do case $line in *Pet\\"*) echo "$1" ;; *) echo "$0" ;; esac; done'
      const saying = ["/bin/sh", "-c", script, ...said.map((one) => JSON.stringify(one))]
      const { out, err } = await run("--json", "--", ...saying)
      const verdicts: TaskVerdict[] = JSON.parse(out)
      const told = verdicts.map(({ name, outcome }) => ({ name, outcome }))
      const missed = tasks.map((name) => ({ name, outcome: "missed" }))
      assert.deepEqual(told, missed, err)
    })
    await Promise.all(examined)
  })

  test("the client of this project runs in a clone, and a trial shows what was said", async () => {
    const { code, out, err } = await run("--try", "--", process.execPath, join(examples, "petstore.mjs"))
    assert.equal(code, 0, err)
    assert.match(
      err,
      /^> \{"task":"describe",.*\n< \{"result":\{"options":"retries: 4, .*\n> \{"task":"reads-a-pet",.*\n< \{"result":\{"id":1,/,
    )
    assert.match(out, /\n1 of 1 passed\n/)
  })
})
