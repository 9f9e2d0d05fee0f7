import assert from "node:assert/strict"
import { test } from "node:test"
import { mediaTypeOf, requireMediaType } from "./media-type.ts"

const [json, form, xml, ndjson] = [
  "application/json",
  "application/x-www-form-urlencoded",
  "application/xml",
  "application/x-ndjson",
]
const require = (type: string | undefined, text = "a", encoding?: string) =>
  requireMediaType({ "content-type": type, "content-encoding": encoding }, [json, xml, form, ndjson], Buffer.from(text))

test("a media type is read without its parameters, in lower case", () => {
  assert.deepEqual([mediaTypeOf(), mediaTypeOf(" Application/JSON ; charset=x")], ["", json])
})

test("a body in UTF-8, or in ASCII under any charset, is taken", () => {
  for (const [type, text] of [
    [xml, "é"],
    [`${xml}; charset=UTF-8`, "é"],
    [`${xml}; version=1; charset="utf8"`, "é"],
    [`${xml}; charset=iso-8859-1`, "a%E9"],
    [`${form}; charset=iso-8859-1`, "a=1%7f&b=100%"],
    [`${json}; charset=iso-8859-1`, "é"],
    [`${ndjson}; charset=iso-8859-1`, "é"],
  ] as const)
    assert.equal(require(type, text), type.split(";")[0])
})

test("a body in another charset, type or encoding is refused with what to send", () => {
  const wanted = `Send Content-Type: ${json} or ${xml} or ${form} or ${ndjson}, in UTF-8.`
  for (const [type, text] of [
    [`${xml}; charset=iso-8859-1`, "é"],
    [`${xml}; charset=utf-16`, "é"],
    [`${form}; charset=iso-8859-1`, "a=%e9"],
    [`${form}; charset=iso-8859-1`, "a=%8F"],
    ["text/plain", "a"],
  ] as const)
    assert.throws(() => require(type, text), {
      code: "unsupported-media-type",
      detail: `This operation does not accept ${type}. ${wanted}`,
    })
  assert.throws(() => require(undefined), { code: "unsupported-media-type", detail: wanted })
})

test("a compressed body is refused, and Identity is not compressed", () => {
  assert.equal(require(json, "{}", "Identity"), json)
  assert.throws(() => require(json, "{}", "gzip"), {
    code: "unsupported-media-type",
    detail: "Content-Encoding: gzip is not supported. Send the body uncompressed.",
  })
})
