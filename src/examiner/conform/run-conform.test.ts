import assert from "node:assert/strict"
import { test } from "node:test"
import { respondWith, startReceiver } from "../../../test/harness/receiver.ts"
import { expect, type TaskVerdict } from "../verdict.ts"
import type { ConformChapter } from "./check.ts"
import { runConform } from "./run-conform.ts"
import { claim } from "./subject.ts"

const service = { key: "own", limitedKey: "limited" }

test("each check has a verdict with its own requests, in order, and is reported at once", async () => {
  await using receiver = await startReceiver()
  receiver.respond(respondWith(204))
  const chapters: ConformChapter[] = [
    {
      name: "First",
      tasks: [{ name: "a", expects: "A", examine: async ({ send }) => void (await send("GET", "/a")) }],
    },
    {
      name: "Second",
      tasks: [
        {
          name: "b",
          expects: "B",
          async examine({ send }) {
            await send("GET", "/b")
            expect(false, "nothing")
          },
        },
        { name: "c", expects: "C", examine: async ({ limitedKey }) => claim(false, `no ${limitedKey}`) },
      ],
    },
  ]
  const reports: [TaskVerdict, number][] = []
  const { signal } = new AbortController()
  const verdicts = await runConform({ url: receiver.url, ...service, chapters, signal }, (verdict, done) =>
    reports.push([verdict, done]),
  )
  assert.deepEqual(verdicts, [
    { chapter: "First", name: "a", expects: "A", outcome: "passed" },
    { chapter: "Second", name: "b", expects: "B", outcome: "missed", observed: "nothing", requests: ["GET /b → 204 "] },
    { chapter: "Second", name: "c", expects: "C", outcome: "unclaimed", observed: "no limited" },
  ])
  assert.deepEqual(
    reports,
    verdicts.map((verdict, n) => [verdict, n + 1]),
  )
})

test("after an interruption no further check is made", async () => {
  const ending = new AbortController()
  const examined: string[] = []
  const tasks = ["a", "b"].map((name) => ({ name, expects: "", examine: async () => void examined.push(name) }))
  const running = runConform(
    { url: "http://a", ...service, chapters: [{ name: "First", tasks }], signal: ending.signal },
    () => ending.abort(new Error("interrupted")),
  )
  await assert.rejects(running, new Error("interrupted"))
  assert.deepEqual(examined, ["a"])
})
