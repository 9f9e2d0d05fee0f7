import assert from "node:assert/strict"
import { test } from "node:test"
import { type Json, json } from "./json.ts"
import { joinTexts, KeptText, listAs } from "./kept-text.ts"

type Named = { name: string }

/** The kept texts of these values, and the bytes by which they have grown. */
function keep(...values: Named[]) {
  const grown: number[] = []
  const keeper = { grow: (bytes: number) => void grown.push(bytes) }
  const texts = values.map((value) => new KeptText(json(value), Buffer.byteLength(json(value)), keeper))
  return { list: joinTexts(texts), texts, grown }
}

const upper = Symbol("upper")

/** Writes names in capitals; those without lower case are the same. */
function capitals() {
  const asked: string[][] = []
  const write = (values: Named[]) => {
    asked.push(values.map(({ name }) => name))
    return values.map(({ name }) => (name === name.toUpperCase() ? undefined : json({ name: name.toUpperCase() })))
  }
  return { asked, write }
}

test("a list in another representation is written once for each text, kept or not", async () => {
  const { asked, write } = capitals()
  const { list, texts } = keep({ name: "a" }, { name: "B" })
  const expected = '[{"name":"A"},{"name":"B"}]'
  assert.equal((await listAs<Named, Named>(list, upper, write)).json, expected)
  assert.equal((await listAs<Named, Named>(list, upper, write)).json, expected)
  assert.deepEqual(asked, [["a", "B"]])
  const [first] = texts as [KeptText]
  const more = keep({ name: "c" })
  const both = joinTexts([first, ...more.texts])
  assert.equal((await listAs<Named, Named>(both, upper, write)).json, '[{"name":"A"},{"name":"C"}]')
  assert.deepEqual(asked[1], ["c"])
  const unkept: { json: Json<Named[]> } = { json: list.json }
  for (let n = 0; n < 2; n++) assert.equal((await listAs<Named, Named>(unkept, upper, write)).json, expected)
  assert.deepEqual(asked.slice(2), [
    ["a", "B"],
    ["a", "B"],
  ])
})

test("a representation has representations of its own, unless its text is the same", async () => {
  const { write } = capitals()
  const { list, texts } = keep({ name: "a" }, { name: "B" })
  const { texts: written } = await listAs<Named, Named>(list, upper, write)
  assert.notEqual(written?.[0], texts[0])
  assert.equal(written?.[1], texts[1])
  written?.[0]?.keep(list, "<a/>")
  assert.equal(texts[0]?.find(list), undefined)
})

test("texts grow by what they keep, and a representation is kept once", () => {
  const { texts, grown } = keep({ name: "a" })
  const [text] = texts as [KeptText]
  const before = text.size
  const kept = text.keep(upper, "żż")
  assert.deepEqual([kept.text, kept.bytes], ["żż", 4])
  assert.equal(text.keep(upper, "other"), kept)
  text.keep(texts, undefined)
  kept.keep(texts, "x".repeat(1000))
  assert.equal(grown.length, 3)
  assert.equal(
    text.size,
    grown.reduce((sum, bytes) => sum + bytes, before),
  )
  assert.ok(text.size > before + 1000)
})
