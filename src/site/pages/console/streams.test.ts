import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../../kernel/problem.ts"
import { html } from "../html.ts"
import type { Visit } from "./page.ts"
import { downloadResponse, renderStream } from "./streams.ts"

const visit = {
  root: "/console",
  path: "/",
  query: new URLSearchParams(),
  scopes: new Set(),
  person: { username: "ada", role: "customer" },
  token: "T",
  mayGo: () => false,
  service: { now: () => 0, hasPublicStore: true },
} as unknown as Visit
const bodyOf = async (body: unknown) => (await Array.fromAsync(body as AsyncIterable<string>)).join("")

/** The content of a page that is streamed, and how often its parts were released. */
async function shown(write: () => AsyncGenerator<ReturnType<typeof html>>, fails = false) {
  let released = 0
  const release = async () => {
    released += 1
    if (fails) throw new Error("the file is busy")
  }
  const explain = (error: unknown) => new Problem("unavailable", (error as Error).message)
  const { status, headers, body } = renderStream({ visit, title: "Import" }, { pieces: write(), release }, explain)
  const text = await bodyOf(body)
  const main = /<main[^>]*>\s*(.*?)\s*<\/main>\s*<\/div>\s*<\/body>\s*<\/html>\s*$/s.exec(text)?.[1]
  await new Promise(setImmediate)
  return { status, main, released, isUnbuffered: headers.join(" ").endsWith("x-accel-buffering no") }
}

test("pieces are written between the beginning and the end of the page, and released at the end", async () => {
  const pieces = async function* () {
    yield html`<p>one</p>`
    yield html`<p>two</p>`
  }
  const expected = { status: 200, main: "<p>one</p><p>two</p>", released: 1, isUnbuffered: true }
  assert.deepEqual(await shown(pieces), expected)
  assert.deepEqual(await shown(pieces, true), expected)
})

test("an error is reported where the content ends", async () => {
  const { main, released } = await shown(async function* () {
    yield html`<p>one</p>`
    throw new Error("The plan is used up.")
  })
  const alarm = '<p class="alarm" role="alert">The operation was not completed. The plan is used up.</p>'
  assert.deepEqual([main, released], [`<p>one</p>${alarm}`, 1])
})

test("a file is a download that is not stored", async () => {
  const text = (async function* () {
    yield "a"
    yield "b"
  })()
  const { body, ...response } = downloadResponse({ name: "pets.csv", type: "text/csv", text })
  assert.deepEqual(response, {
    status: 200,
    headers: [
      "content-type",
      "text/csv; charset=utf-8",
      "content-disposition",
      'attachment; filename="pets.csv"',
      "cache-control",
      "no-store",
      "x-accel-buffering",
      "no",
    ],
  })
  assert.equal(await bodyOf(body), "ab")
})
