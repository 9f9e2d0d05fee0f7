import assert from "node:assert/strict"
import { test } from "node:test"
import { readMultipart, readUrlencoded } from "./form-fields.ts"
import type { NestedFields } from "./nested-names.ts"

const textsOf = (fields: NestedFields) => [...fields].map(([name, { texts }]) => [name, ...texts])
const refused = (reason: string) => ({ code: "malformed-request", detail: `The body is not a valid form: ${reason}` })
const urlencoded = (text: string) => readUrlencoded(Buffer.from(text))

test("a form is a list of fields in order; a plus is a space, and a pair without an equals sign has an empty value", () => {
  assert.deepEqual(textsOf(urlencoded("a=1&b=x+y%2B%C3%A9&a=2=3&=4&c+%7B&&d=\n=")), [
    ["a", "1", "2=3"],
    ["b", "x y+é"],
    ["", "4"],
    ["c {", ""],
    ["d", "\n="],
  ])
})

test("a form that is not percent-encoded UTF-8 is refused", async () => {
  const notEncoded = refused("it is not correctly percent-encoded UTF-8")
  for (const text of ["a=%", "a=%E9", "%zz=1"]) assert.throws(() => urlencoded(text), notEncoded)
  const latin1 = Buffer.from("a=\xe9", "latin1")
  assert.throws(() => readUrlencoded(latin1), refused("it is not UTF-8"))
  await assert.rejects(readMultipart(latin1, headers), refused("it is not UTF-8"))
})

test("a form has at most 2,000 fields in brackets or dots, and any number of others", () => {
  const nested = "a[0]=1&".repeat(1_000) + "a.b=1&".repeat(1_000)
  assert.equal(urlencoded(nested).size, 1)
  assert.equal(textsOf(urlencoded("b=1&".repeat(3_000)))[0]?.length, 3_001)
  assert.throws(() => urlencoded(`${nested}c[0]=1`), refused("it has more than 2000 fields in brackets or dots"))
})

const headers = { "content-type": "multipart/form-data; boundary=b" }
const part = (name: string, text: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
const multipart = (...parts: string[]) => readMultipart(Buffer.from(`${parts.join("")}--b--\r\n`), headers)

test("parts are fields, files included, however long", async () => {
  const long = "é".repeat(40_000)
  const fields = await multipart(part("a", "1"), part("b", long, '; filename="x.txt"'), part("a", ""))
  assert.deepEqual(textsOf(fields), [
    ["a", "1", ""],
    ["b", long],
  ])
})

test("a form has at most 256 parts", async () => {
  const parts = Array.from({ length: 256 }, (_, n) => part(`n${n}`, "1"))
  assert.equal((await multipart(...parts)).size, 256)
  await assert.rejects(multipart(...parts, part("more", "x".repeat(20_000))), refused("it has more than 256 parts"))
})

test("a form that ends early, or has no boundary, is refused", async () => {
  await assert.rejects(readMultipart(Buffer.from(part("a", "1")), headers), {
    code: "malformed-request",
    detail: /^The body is not a valid form: ./,
  })
  await assert.rejects(readMultipart(Buffer.from(""), { "content-type": "multipart/form-data" }), {
    code: "malformed-request",
    detail: /^The body is not a valid form: ./,
  })
})
