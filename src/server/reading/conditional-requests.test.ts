import assert from "node:assert/strict"
import { test } from "node:test"
import { ifMatch, isKnown, isMatched, notMatched, xmlTagOf } from "./conditional-requests.ts"

test("If-Match lists strong tags, each as that of the JSON representation; weak ones never match", () => {
  assert.equal(ifMatch(undefined), undefined)
  assert.equal(ifMatch(" * "), "*")
  assert.deepEqual(ifMatch('"1", W/"2","3.xml"'), ['"1"', '"3"'])
  assert.deepEqual(ifMatch("1"), [])
})

test("If-Match admits a state by the tag of either representation, or when it is absent or *", () => {
  const xml = xmlTagOf('"1"')
  assert.equal(xml, '"1.xml"')
  for (const header of [undefined, "*", '"1"', xml, '"0", "1"'])
    assert.deepEqual([isMatched(header, '"1"'), isMatched(header, xml)], [true, true], `${header}`)
  for (const header of ["", '"2"', 'W/"1"', "1"])
    assert.deepEqual([isMatched(header, '"1"'), isMatched(header, xml)], [false, false], `${header}`)
})

test("If-None-Match names what the client has by exactly this tag, which may be weak", () => {
  for (const header of ['"1"', "*", " * ", 'W/"1"', '"0", "1"']) assert.equal(isKnown(header, '"1"'), true, `${header}`)
  for (const header of [undefined, "", '"2"', '"1.xml"', "1"]) assert.equal(isKnown(header, '"1"'), false, `${header}`)
})

test("a read of another state is refused with its tag", () => {
  const { code, detail } = notMatched('"1"')
  assert.deepEqual([code, detail], ["precondition-failed", 'Its ETag is "1", which If-Match does not list'])
})
