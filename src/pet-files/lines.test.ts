import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { excerptOf, readLines } from "./lines.ts"

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = async (bytes: Uint8Array, size: number) =>
  (await Array.fromAsync(readLines(chunksOf(bytes, size)))).map(({ number, bytes, isUnended }) => ({
    number,
    text: bytes && Buffer.from(bytes).toString(),
    isUnended,
  }))

test("lines do not depend on the chunking of the bytes", async () => {
  const texts = fc.array(fc.stringMatching(/^[a-zäé🐕 ]{0,6}$/u), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (lines, crlf, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}${crlf ? "\r\n" : "\n"}`).join(""))
      assert.deepEqual(
        await read(bytes, size),
        lines.map((text, n) => ({ number: n + 1, text, isUnended: false })),
      )
    }),
    { numRuns: 100 },
  )
})

test("a last line without a line feed is a line and is marked as such", async () => {
  assert.deepEqual(await read(Buffer.from("a\nb"), 2), [
    { number: 1, text: "a", isUnended: false },
    { number: 2, text: "b", isUnended: true },
  ])
  assert.deepEqual(await read(Buffer.alloc(0), 2), [])
})

test("a line longer than any body is skipped without buffering, and the next one is complete", async () => {
  const bytes = Buffer.concat([Buffer.alloc(petBytesMax + 1, "x"), Buffer.from("\nnext\n")])
  assert.deepEqual(await read(bytes, 65_536), [
    { number: 1, text: undefined, isUnended: false },
    { number: 2, text: "next", isUnended: false },
  ])
})

test("a line ends with a line feed, with or without a return, or where it is asked for with a lone return", async () => {
  const split = async (text: string, size: number, ends: "line feeds" | "line feeds and lone returns") => {
    const lines = await Array.fromAsync(readLines(chunksOf(Buffer.from(text), size), ends))
    return lines.map(
      ({ number, bytes = "", isUnended, endsInReturn }) =>
        `${number}:${bytes}${isUnended ? "!" : ""}${endsInReturn ? "<" : ""}`,
    )
  }
  const cases: [text: string, withReturns: string[], withoutReturns: string[]][] = [
    ["a\nb\n", ["1:a", "2:b"], ["1:a", "2:b"]],
    ["a\r\nb\r\n", ["1:a", "2:b"], ["1:a", "2:b"]],
    ["a\rb\r", ["1:a<", "2:b<"], ["1:a\rb!"]],
    ["a\rb\nc\r\nd", ["1:a<", "2:b", "3:c", "4:d!"], ["1:a\rb", "2:c", "3:d!"]],
    ["\r\r\n\n", ["1:<", "2:", "3:"], ["1:\r", "2:"]],
    ["\n\r", ["1:", "2:<"], ["1:", "2:!"]],
    ["a\r\r\rb", ["1:a<", "2:<", "3:<", "4:b!"], ["1:a\r\r\rb!"]],
    ["", [], []],
  ]
  for (const [text, withReturns, withoutReturns] of cases)
    for (const size of [1, 2, 3, 99]) {
      const words = `${JSON.stringify(text)} in parts of ${size}`
      assert.deepEqual(await split(text, size, "line feeds and lone returns"), withReturns, words)
      assert.deepEqual(await split(text, size, "line feeds"), withoutReturns, words)
    }
})

test("the excerpt of a line is its first 200 bytes, and nothing of one that is too long", () => {
  assert.equal(excerptOf({ bytes: Buffer.from("x".repeat(201)) }), "x".repeat(200))
  assert.equal(excerptOf({ bytes: Buffer.from("é") }), "é")
  assert.equal(excerptOf({ bytes: undefined }), "")
})
