import assert from "node:assert/strict"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { renderStream } from "./streams.ts"

const frame = (main: Markup): HttpResponse => ({ status: 200, headers: [], body: html`<main>${main}</main>`.text })
const explain = () => new Problem("unavailable", "The disk is full")

async function* succeed() {
  yield html`<p>pets</p>`
}

async function* fail() {
  yield* succeed()
  throw new Error("no space")
}

function open(pieces: AsyncIterable<Markup>) {
  const events: string[] = []
  const release = async () => {
    await nextTurn()
    events.push("released")
  }
  return { events, body: renderStream(frame, { pieces, release }, explain).body as Readable }
}

test("what a streamed page was made from is released before its last piece, so that the next request finds it free", async () => {
  for (const pieces of [succeed(), fail()]) {
    const { events, body } = open(pieces)
    for await (const piece of body) events.push(piece)
    const beforeLast = events.slice(0, events.indexOf("</main>"))
    assert.ok(beforeLast.includes("<p>pets</p>") && beforeLast.includes("released"), events.join())
  }
})

test("it is also released when the client leaves before the end", async () => {
  const { events, body } = open(succeed())
  body.destroy()
  await once(body, "close")
  await nextTurn()
  assert.deepEqual(events, ["released"])
})
