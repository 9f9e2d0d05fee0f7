import assert from "node:assert/strict"
import { test } from "node:test"
import { isUnchanged, preconditionsOf, xmlTagOf } from "./conditional-requests.ts"

const failed = (detail: RegExp) => ({ code: "precondition-failed", detail })

test("the conditions of a change have each tag as that of the JSON representation, weak ones as they are", () => {
  assert.deepEqual(preconditionsOf({}), { ifMatch: undefined, ifNoneMatch: undefined })
  assert.deepEqual(preconditionsOf({ "if-match": " * ", "if-none-match": '"1", W/"2",,"3.xml" ' }), {
    ifMatch: "*",
    ifNoneMatch: ['"1"', 'W/"2"', '"3"'],
  })
})

test("If-Match admits the read of a state by the tag of either representation, or by *", () => {
  const xml = xmlTagOf('"1"')
  assert.equal(xml, '"1.xml"')
  for (const header of ["*", '"1"', xml, '"0", "1"'])
    for (const etag of ['"1"', xml]) assert.equal(isUnchanged({ "if-match": header }, etag), false, header)
  for (const [header, detail] of [
    ['"2"', /its ETag is now "1"/],
    ['W/"1"', /weak tag W\/"1".*Send "1"/],
    ['W/"2"', /its ETag is now "1"/],
  ] as const)
    for (const etag of ['"1"', xml]) assert.throws(() => isUnchanged({ "if-match": header }, etag), failed(detail))
})

test("a resource without a tag only matches *", () => {
  assert.equal(isUnchanged({ "if-match": "*" }, undefined), false)
  assert.throws(() => isUnchanged({ "if-match": '"1"' }, undefined), failed(/has no ETag/))
  assert.equal(isUnchanged({ "if-none-match": "*" }, undefined), true)
  assert.equal(isUnchanged({ "if-none-match": '"1"' }, undefined), false)
})

test("If-None-Match names what the client has by exactly this tag, which may be weak", () => {
  const known = (header: string) => isUnchanged({ "if-none-match": header }, '"1"')
  for (const header of ['"1"', "*", " * ", 'W/"1"', '"0", "1"']) assert.equal(known(header), true, header)
  for (const header of ['"2"', '"1.xml"']) assert.equal(known(header), false, header)
})

test("a malformed header is refused", () => {
  const refused = { code: "invalid-parameter" }
  for (const header of [
    "",
    " ",
    ",",
    "1",
    "W/1",
    'w/"1"',
    '"1',
    '"1" 2',
    '*, "1"',
    "**",
    '"1\u0001"',
    `"${"a".repeat(9000)}`,
  ]) {
    assert.throws(() => isUnchanged({ "if-match": header }, '"1"'), refused, header)
    assert.throws(() => isUnchanged({ "if-none-match": header }, '"1"'), refused, header)
    assert.throws(() => preconditionsOf({ "if-match": header }), refused, header)
  }
})
