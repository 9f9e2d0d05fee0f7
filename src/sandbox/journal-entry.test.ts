import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../test/harness/exchange.ts"
import type { Exchanged } from "../domain/sandbox/model.ts"
import { Chunks } from "./chunks.ts"
import { Entry } from "./journal-entry.ts"

const chunks = new Chunks(1024 * 1024)
const entryOf = (given: Partial<Exchanged> = {}, latest?: Entry) =>
  new Entry({ id: 1, at: 2, position: 3 }, { ...emptyExchange, ...given }, latest, chunks)

/** The bytes of an entry in its chunk. */
const emptyLength = entryOf().end
const kibibyte = 1024

test("an entry is read as it was added", () => {
  const first = entryOf({ path: "/other", requestBody: Buffer.from("before") })
  const { id, at, position, read } = entryOf()
  assert.deepEqual([id, at, position], [1, 2, 3])
  const entry = entryOf(
    {
      path: "/pet/ü",
      query: "a=1",
      requestHeaders: ["a", "1", "b", ""],
      responseHeaders: [["c", "2"], [], ["d", "€", "e", "3"]],
      requestBody: Buffer.from("sent"),
      responseBody: "one\0two\0",
    },
    first,
  )
  assert.equal(entry.chunk, first.chunk)
  assert.deepEqual(read.call(entry), {
    path: "/pet/ü",
    query: "a=1",
    requestHeaders: ["a", "1", "b", ""],
    responseHeaders: ["c", "2", "d", "€", "e", "3"],
    requestBody: { bytes: Buffer.from("sent"), isCut: false },
    responseBody: { bytes: Buffer.from("one\0two\0"), isCut: false },
  })
  assert.deepEqual(first.read()?.path, "/other")
  assert.deepEqual(first.read()?.requestBody?.bytes, Buffer.from("before"))
  first.remove()
  assert.equal(first.read(), undefined)
})

test("a body that is absent or empty is not there", () => {
  for (const [requestBody, responseBody] of [
    [undefined, undefined],
    [Buffer.alloc(0), ""],
    [Buffer.alloc(0), Buffer.alloc(0)],
  ] as const) {
    const read = entryOf({ requestBody, responseBody }).read()
    assert.deepEqual([read?.requestBody, read?.responseBody], [undefined, undefined])
  }
})

test("of a body the first 16 KiB are read", () => {
  const kept = 16 * kibibyte
  for (const [length, bytes, isCut] of [
    [kept - 1, kept - 1, false],
    [kept, kept, false],
    [kept + 1, kept, true],
    [64 * kibibyte, kept, true],
    [64 * kibibyte + 1, kept, true],
  ] as const) {
    const body = Buffer.alloc(length, "b")
    const expected = { bytes: Buffer.alloc(bytes, "b"), isCut }
    const read = entryOf({ requestBody: body, responseBody: body }).read()
    assert.deepEqual([read?.requestBody, read?.responseBody], [expected, expected], `${length} bytes`)
    const text = entryOf({ responseBody: body.toString() }).read()
    assert.deepEqual(text?.responseBody, expected, `${length} characters`)
  }
})

test("an entry counts what it keeps: characters outside of a chunk as two bytes", () => {
  const base = entryOf().bytes
  const added = (given: Partial<Exchanged>) => entryOf(given).bytes - base
  const explanation = { text: "x".repeat(10), length: 10 } as unknown as Exchanged["facts"]["explanation"]
  assert.equal(base, 512 + emptyLength)
  assert.equal(added({ path: "/€" }), 4)
  assert.equal(added({ requestHeaders: ["a", "bc"] }), 5)
  assert.equal(added({ responseHeaders: [["a", "bc"]] }), 5)
  assert.equal(added({ facts: { ...emptyExchange.facts, explanation } }), 20)
  for (const [name, body, bytes] of [
    ["a short text", "t".repeat(4096), 4096],
    ["a longer one", "t".repeat(4097), 2 * 4097],
    ["a long one", "t".repeat(64 * kibibyte), 128 * kibibyte],
    ["the beginning of a longer one", "t".repeat(64 * kibibyte + 1), 2 * (16 * kibibyte + 1)],
    ["the bytes of its beginning", "€".repeat(64 * kibibyte + 1), 2 * 3 * (16 * kibibyte + 1)],
    ["bytes", new Uint8Array(100), 200],
    ["many bytes", new Uint8Array(100 * kibibyte), 2 * (16 * kibibyte + 1)],
  ] as const)
    assert.equal(added({ responseBody: body }), bytes, name)
  const large = entryOf({ path: "p".repeat(64 * kibibyte), requestBody: new Uint8Array(10) })
  assert.equal(large.read()?.path.length, 64 * kibibyte, "in a chunk of its own")
  assert.equal(added({ requestBody: new Uint8Array(17 * kibibyte) }), 16 * kibibyte)
})

test("an entry shares the chunk of the one before exactly when it fits", () => {
  const first = entryOf()
  const free = first.chunk.length - first.end
  const shares = (given: Partial<Exchanged>) => {
    const entry = entryOf(given, first)
    if (entry.chunk === first.chunk) assert.equal(entry.bytes, 512 + entry.end - first.end)
    assert.equal(entry.read()?.path, given.path ?? "")
    return entry.chunk === first.chunk
  }
  const left = free - emptyLength
  assert.deepEqual(
    [shares({ path: "p".repeat(left) }), shares({ path: "p".repeat(left + 1) })],
    [true, false],
    "of one byte a character",
  )
  const euros = "€".repeat(Math.floor(left / 3))
  const rest = "p".repeat(left % 3)
  assert.deepEqual(
    [shares({ path: euros + rest }), shares({ path: `${euros}${rest}p` })],
    [true, false],
    "of three bytes",
  )
  const requestBody = new Uint8Array(1000)
  assert.deepEqual(
    [shares({ path: "p".repeat(left - 1000), requestBody }), shares({ path: "p".repeat(left - 999), requestBody })],
    [true, false],
    "beside a body",
  )
})
