import assert from "node:assert/strict"
import { test } from "node:test"
import { JsonScanner } from "./json-scanner.ts"

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const text = `\uFEFF { "a\\"b" : [1,"x,]\\\\" ,\r\n{"c":[ ]},null] ,"skipped":{"one":"1","two":[{"}":"\\""}]}, "π":-0.5e1 }\n`

test("values and names are found wherever a chunk ends, and only what is not skipped is kept", async () => {
  for (let size = 1; size < 20; size++) {
    const scanner = new JsonScanner(inPieces(Buffer.from(text), size), 1000)
    const found: string[] = []
    const note = async (name: string | number) => found.push(`${name}: ${await scanner.value()}`)
    assert.equal(await scanner.isAtObject(), true)
    for await (const name of scanner.members())
      if (await scanner.isAtArray()) for await (const n of scanner.elements()) await note(n)
      else if (await scanner.isAtObject())
        await scanner.skip(async () => {
          assert.equal(scanner.isSkipping, true)
          for await (const member of scanner.members()) await note(member)
        })
      else await note(name)
    assert.deepEqual(found, [
      "0: 1",
      '1: "x,]\\\\"',
      '2: {"c":[ ]}',
      "3: null",
      'one: "1"',
      'two: [{"}":"\\""}]',
      "π: -0.5e1",
    ])
    const kept = text.replace(/\{"one.*?\}\]\}/, "{}")
    assert.equal(String(await scanner.rest()), kept)
  }
})

test("what is no JSON is refused, and the rest of the text can still be kept", async () => {
  for (const wrong of [
    "[1 2]",
    "[1,]",
    "[1",
    "[",
    "[,1]",
    "[1:2]",
    '["a"}',
    '{"a" 1}',
    "{1:2}",
    '{"a":}',
    '{"a":1',
    "{",
  ]) {
    const scanner = new JsonScanner(inPieces(Buffer.from(wrong), 3), 1000)
    const read = async () => {
      if (await scanner.isAtArray()) for await (const _ of scanner.elements()) JSON.parse(String(await scanner.value()))
      else for await (const _ of scanner.members()) JSON.parse(String(await scanner.value()))
    }
    await assert.rejects(read(), { code: "malformed-json" }, wrong)
    assert.equal(String(await scanner.rest()), wrong)
  }
})

test("what is kept, and each value, has a bound", async () => {
  const kept = new JsonScanner(inPieces(Buffer.from('"12345678"'), 4), 9)
  await assert.rejects(
    kept.value().then(() => kept.rest()),
    { code: "body-too-large" },
  )
  const bytes = Buffer.alloc(16 * 1024 * 1024 + 1, "1")
  const value = new JsonScanner(inPieces(bytes, 1024 * 1024), bytes.length)
  await assert.rejects(value.value(), { code: "body-too-large" })
})
