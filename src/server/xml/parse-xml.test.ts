import assert from "node:assert/strict"
import { test } from "node:test"
import { parseXml } from "./parse-xml.ts"

test("a long document yields to other work, and is read completely", async () => {
  const text = "é🐕&#65;\r\n]]&gt;".repeat(300_000)
  let turns = 0
  const counting = setInterval(() => turns++)
  const { children } = await parseXml(Buffer.from(`<a><b>${text}</b></a>`))
  clearInterval(counting)
  assert.equal(children[0]?.text, "é🐕A\n]]>".repeat(300_000))
  assert.ok(turns > 5, `${turns} turns`)
})
