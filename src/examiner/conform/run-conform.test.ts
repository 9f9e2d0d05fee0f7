import assert from "node:assert/strict"
import { test } from "node:test"
import { respondWith, startReceiver } from "../../../test/harness/receiver.ts"
import { expect, type TaskVerdict } from "../verdict.ts"
import type { ConformChapter } from "./check.ts"
import { runConform } from "./run-conform.ts"
import { claim } from "./subject.ts"

const service = { key: "own", limitedKey: "limited", readerKey: undefined, claims: new Set<string>() }

test("each check has a verdict with its own requests, in order, and is reported at once", async () => {
  await using receiver = await startReceiver()
  receiver.respond(respondWith(204))
  const chapters: ConformChapter[] = [
    {
      name: "First",
      tasks: [{ name: "a", expects: "A", source: "ours", examine: async ({ send }) => void (await send("GET", "/a")) }],
    },
    {
      name: "Second",
      tasks: [
        {
          name: "b",
          expects: "B",
          source: "RFC 9110 section 15",
          async examine({ send }) {
            await send("GET", "/b")
            expect(false, "nothing")
          },
        },
        {
          name: "c",
          expects: "C",
          source: "ours",
          examine: async ({ limitedKey }) => claim(false, `no ${limitedKey}`),
        },
      ],
    },
  ]
  const reports: [TaskVerdict, number][] = []
  const { signal } = new AbortController()
  const verdicts = await runConform({ url: receiver.url, ...service, chapters, signal }, (verdict, done) =>
    reports.push([verdict, done]),
  )
  assert.deepEqual(verdicts, [
    { chapter: "First", name: "a", expects: "A", source: "ours", outcome: "passed" },
    {
      chapter: "Second",
      name: "b",
      expects: "B",
      source: "RFC 9110 section 15",
      outcome: "missed",
      observed: "nothing",
      requests: ["GET /b → 204 "],
    },
    { chapter: "Second", name: "c", expects: "C", source: "ours", outcome: "unclaimed", observed: "no limited" },
  ])
  assert.deepEqual(
    reports,
    verdicts.map((verdict, n) => [verdict, n + 1]),
  )
})

test("after an interruption no further check is made", async () => {
  const ending = new AbortController()
  const examined: string[] = []
  const tasks = ["a", "b"].map((name) => ({
    name,
    expects: "",
    source: "ours" as const,
    examine: async () => void examined.push(name),
  }))
  const running = runConform(
    { url: "http://a", ...service, chapters: [{ name: "First", tasks }], signal: ending.signal },
    () => ending.abort(new Error("interrupted")),
  )
  await assert.rejects(running, new Error("interrupted"))
  assert.deepEqual(examined, ["a"])
})

test("what is not claimed of a chapter or a check that the service claims is missed", async () => {
  const tasks = ["a", "b"].map((name) => ({
    name,
    expects: "",
    source: "ours" as const,
    examine: async () => claim(false, "no pages"),
  }))
  const outcomes = async (...claims: string[]) => {
    const { signal } = new AbortController()
    const chapters = [{ name: "First", tasks }]
    const conform = { url: "http://a", ...service, chapters, claims: new Set(claims), signal }
    return (await runConform(conform, () => undefined)).map(({ outcome, observed }) => `${outcome}: ${observed}`)
  }
  assert.deepEqual(await outcomes("Second"), ["unclaimed: no pages", "unclaimed: no pages"])
  assert.deepEqual(await outcomes("b"), ["unclaimed: no pages", "missed: no pages"])
  assert.deepEqual(await outcomes("First"), ["missed: no pages", "missed: no pages"])
})
