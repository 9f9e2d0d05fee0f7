import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { readElements } from "./json-array.ts"

async function read(text: string, size = 3) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return (await Array.fromAsync(readElements(chunks()))).map(({ number, bytes, isUnended }) => ({
    number,
    text: bytes && Buffer.from(bytes).toString().trim(),
    isUnended,
  }))
}
const ended = (number: number, text: string | undefined) => ({ number, text, isUnended: false })
const unended = (number: number, text: string) => ({ number, text, isUnended: true })

test("the elements equal those of JSON.parse for any formatting and chunking", async () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 })
  const spaces = fc.constantFrom(undefined, 1, "\t")
  await fc.assert(
    fc.asyncProperty(values, spaces, fc.integer({ min: 1, max: 9 }), async (value, space, size) => {
      const text = JSON.stringify(value, null, space)
      const found = await read(`\ufeff \n${text}\n `, size)
      assert.deepEqual(
        found.map((each) => JSON.parse(each.text ?? "")),
        JSON.parse(text),
      )
    }),
    { numRuns: 150 },
  )
})

test("each element has the number of its first line", async () => {
  assert.deepEqual(await read('[\n\n{"a":\n1},\n2 , 3\n]\n'), [ended(3, '{"a":\n1}'), ended(5, "2"), ended(5, "3")])
  assert.deepEqual(await read("[ \n ]"), [])
})

test("a malformed array yields an invalid element: an extra comma, trailing text, a truncated end", async () => {
  assert.deepEqual(await read("[1,,2]"), [ended(1, "1"), ended(1, ""), ended(1, "2")])
  assert.deepEqual(await read("[1,]"), [ended(1, "1"), ended(1, "")])
  assert.deepEqual(await read("[1]\n{}"), [ended(1, "1"), unended(2, "{}")])
  assert.deepEqual(await read('[1,\n{"a'), [ended(1, "1"), unended(2, '{"a'), unended(2, "")])
  assert.deepEqual(await read("[1\n"), [unended(1, "1"), unended(2, "")])
  assert.deepEqual(await read("[1,"), [ended(1, "1"), unended(1, "")])
  for (const text of ["[", " ", ""]) assert.deepEqual(await read(text), [unended(1, "")])
})

test("an element longer than any pet is skipped without buffering, and the next one is complete", async () => {
  assert.deepEqual(await read(`["${"x".repeat(petBytesMax)}",2]`, 65_536), [ended(1, undefined), ended(1, "2")])
  const spaces = " ".repeat(2 * petBytesMax)
  assert.deepEqual(await read(`${spaces}[1]`, 65_536), [ended(1, "1")])
  assert.deepEqual(await read(`[${spaces}]x`, 65_536), [unended(1, "x")])
})

test("elements are split at their commas only, for any chunking", async () => {
  for (const size of [1, 2, 5, 4096]) {
    assert.deepEqual(await read('[[1,2],{"a":[3,4],"b":"],\\"}"},"\\\\",5]', size), [
      ended(1, "[1,2]"),
      ended(1, '{"a":[3,4],"b":"],\\"}"}'),
      ended(1, '"\\\\"'),
      ended(1, "5"),
    ])
    assert.deepEqual(await read('\n[\n"a\n,b"\n,\n\n2\n]\n\n', size), [ended(3, '"a\n,b"'), ended(7, "2")])
    assert.deepEqual(await read("[1] , [2]\n[3]", size), [ended(1, "1"), unended(1, ", [2]\n[3]")])
    assert.deepEqual(await read("[[1]\n", size), [unended(1, "[1]"), unended(2, "")])
    assert.deepEqual(await read("[,]", size), [ended(1, ""), ended(1, "")])
    assert.deepEqual(await read("[]\n", size), [])
  }
})
