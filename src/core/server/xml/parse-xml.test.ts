import assert from "node:assert/strict"
import { test } from "node:test"
import { parseXml } from "./parse-xml.ts"

test("a long document yields to other work, and is read completely (slow)", async () => {
  const text = "é🐕&#65;\r\n]]&gt;".repeat(300_000)
  let turns = 0
  const counting = setInterval(() => turns++)
  const { children } = await parseXml(Buffer.from(`<a><b>${text}</b></a>`))
  clearInterval(counting)
  assert.equal(children[0]?.text, "é🐕A\n]]>".repeat(300_000))
  assert.ok(turns > 5, `${turns} turns`)
})

const parse = (text: string) => parseXml(Buffer.from(text))
const refused = (reason: string | RegExp) => (error: unknown) => {
  const { code, detail } = error as { code: string; detail: string }
  assert.equal(code, "malformed-xml")
  assert.match(detail, typeof reason === "string" ? new RegExp(`^The body is not valid XML: ${reason}$`) : reason)
  return true
}
const leaf = (name: string, text = "") => ({ name, text, isNil: false, children: [] })

test("an element has its direct text and its children; comments and instructions are skipped", async () => {
  assert.deepEqual(
    await parse('<?xml version="1.0"?><!-- a --><a b="c">x<b>1</b><![CDATA[<y>]]><?p q?><!-- z --><c/>&lt;</a>'),
    {
      name: "a",
      text: "x<y><",
      isNil: false,
      children: [leaf("b", "1"), leaf("c")],
    },
  )
})

test("an element is nil if it says so in any prefix", async () => {
  for (const [attribute, isNil] of [
    ['nil="true"', true],
    ['x:nil=" 1 "', true],
    ['nil="false"', false],
    ['nil="truer"', false],
    ['other="true"', false],
    ['nilly="true"', false],
  ] as const)
    assert.equal((await parse(`<a ${attribute}/>`)).isNil, isNil, attribute)
})

test("a document has at most 10,000 elements, attributes, comments, sections and instructions (slow)", async () => {
  const most = (count: number, part: string) => parse(`<a>${part.repeat(count - 1)}</a>`)
  const tooMany = refused("it has more than 10000 elements, attributes and comments")
  for (const part of ["<b/>", "<!--b-->", "<![CDATA[b]]>", "<?b?>"]) {
    await most(10_000, part)
    await assert.rejects(most(10_001, part), tooMany)
  }
  const attributes = Array.from({ length: 9_999 }, (_, n) => `a${n}="1"`).join(" ")
  await parse(`<a ${attributes}/>`)
  await assert.rejects(parse(`<a ${attributes} more="1"/>`), tooMany)
})

test("a document is nested up to 32 levels", async () => {
  const nested = (depth: number) => parse("<a>".repeat(depth) + "</a>".repeat(depth))
  await nested(32)
  await assert.rejects(nested(33), refused("it is nested deeper than 32 levels"))
})

test("a document declares no type, and no encoding but UTF-8 unless it is in ASCII", async () => {
  await assert.rejects(parse("<!DOCTYPE a><a/>"), refused("it declares a document type, which is not supported"))
  for (const encoding of ["utf-8", "UTF8"]) await parse(`<?xml version="1.0" encoding="${encoding}"?><a>é</a>`)
  await parse('<?xml version="1.0"?><a>é</a>')
  const latin1 = (text: string) => parse(`<?xml version="1.0" encoding="iso-8859-1"?><a>${text}</a>`)
  assert.equal((await latin1("e")).text, "e")
  await assert.rejects(latin1("é"), refused("its encoding is iso-8859-1, not UTF-8"))
})

test("a document that is not well-formed is refused with the location, without quoting it", async () => {
  await assert.rejects(parse("<a>secret</b>"), refused(/: unexpected close tag, at line 1, column \d+$/))
  await assert.rejects(parse("<a>secret"), refused(/: unclosed tag, at line 1, column \d+$/))
  await assert.rejects(parse("<a>&secret;</a>"), refused(/: undefined entity, at line 1, column \d+$/))
  await assert.rejects(parseXml(Buffer.from("<a>\xe9</a>", "latin1")), refused("it is not UTF-8"))
})
