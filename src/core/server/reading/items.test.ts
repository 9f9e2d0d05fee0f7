import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { Type } from "../../kernel/schema/type.ts"
import { itemsReader } from "./items.ts"

const Names = Type.Array(Type.Object({ name: Type.String() }), { minItems: 1, maxItems: 3 })
const read = itemsReader(Names, checkOf)
const [json, ndjson] = ["application/json", "application/x-ndjson"]

/** The names, and the details of the problems of items without one. */
const namesIn = async (type: string, text: string) =>
  (await read(type, Buffer.from(text))).map((item) =>
    item instanceof Problem ? `${item.code}: ${item.detail}` : (item as { name: string }).name,
  )
const line = (name: string) => JSON.stringify({ name })

test("an array and lines have the same items, and an invalid one becomes its problem", async () => {
  const missing = "invalid-body: name is required"
  assert.deepEqual(await namesIn(json, `[${line("a")}, {}, ${line("b")}]`), ["a", missing, "b"])
  assert.deepEqual(await namesIn(ndjson, `${line("a")}\n{}\n${line("b")}`), ["a", missing, "b"])
})

test("blank lines are no items", async () => {
  for (const blank of ["\n", "\r\n", " \n", "\t\n", "\n \t\r\n\n"])
    assert.deepEqual(
      await namesIn(ndjson, `${blank}${line("a")}${blank}\n${line("b")}\r\n${blank}`),
      ["a", "b"],
      JSON.stringify(blank),
    )
  assert.match(`${await namesIn(ndjson, "\b\n")}`, /^malformed-json: /)
})

test("a malformed line is the problem of that line alone", async () => {
  const [first, second, third] = await namesIn(ndjson, `${line("a")}\n{"name": "secret\n${line("b")}`)
  assert.deepEqual([first, third], ["a", "b"])
  assert.match(second as string, /^malformed-json: The line is not valid JSON: (?!.*secret)/)
})

test("a body that is no list, or has too few or too many items, is refused as a whole", async () => {
  for (const [type, text, detail] of [
    [json, "{}", "The body must be an array"],
    [json, "[]", "The body needs 1 or more items"],
    [json, `[${"{},".repeat(3)}{}]`, "The body must have 3 items or fewer"],
    [ndjson, "", "The body needs 1 or more items"],
    [ndjson, " \n \n", "The body needs 1 or more items"],
    [ndjson, "{}\n".repeat(4), "The body must have 3 items or fewer"],
    [ndjson, "{}\n".repeat(40), "The body must have 3 items or fewer"],
  ] as const)
    await assert.rejects(read(type, Buffer.from(text)), { code: "invalid-body", detail })
  assert.equal((await namesIn(ndjson, "{}\n".repeat(3))).length, 3)
  await assert.rejects(read(json, Buffer.from("[")), { code: "malformed-json" })
})

test("a list without a bound has no items", async () => {
  const reading = itemsReader(Type.Array(Type.Object({})), checkOf)(json, Buffer.from("[{}]"))
  await assert.rejects(reading, { detail: "The body must have 0 items or fewer" })
})

test("many items yield to other work", async () => {
  const slow = itemsReader(Type.Array(Type.Object({}), { maxItems: 10 }), () => () => {
    const end = performance.now() + 20
    while (performance.now() < end);
    return []
  })
  let turns = 0
  const counting = setInterval(() => turns++)
  await slow(json, Buffer.from(JSON.stringify(Array(10).fill({}))))
  clearInterval(counting)
  assert.ok(turns >= 5, `${turns} turns`)
})
