import assert from "node:assert/strict"
import { test } from "node:test"
import { readEventStream } from "./event-stream.ts"

async function* pieces(text: string, length: number) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

test("messages are read for any chunking and line ends, without an incomplete last one", async () => {
  const lines = [
    ": hello",
    "retry: 5",
    "id: a",
    "",
    "id: b",
    'data: {"name":',
    "data:  “Łap”}",
    "",
    "data:x",
    "",
    "",
    "id: c",
    "data: half",
  ]
  for (const end of ["\n", "\r\n", "\r"])
    for (const length of [1, 2, 3, 7, 1000])
      assert.deepEqual(
        await Array.fromAsync(readEventStream(pieces(`${lines.join(end)}${end}`, length))),
        [
          { id: "a", data: undefined },
          { id: "b", data: '{"name":\n “Łap”}' },
          { id: undefined, data: "x" },
        ],
        JSON.stringify(end) + length,
      )
})

test("an id with a NUL is ignored, fields without a value are empty, and unknown ones and comments are no message", async () => {
  const text = "id: a\0b\ndata: 1\n\nid\ndata\n\n: comment\n\nevent: x\n\ndata: a:b\nid:  c\n\n\ufeffdata: x\n\n"
  assert.deepEqual(await Array.fromAsync(readEventStream(pieces(text, 5))), [
    { id: undefined, data: "1" },
    { id: "", data: "" },
    { id: " c", data: "a:b" },
  ])
})
