import assert from "node:assert/strict"
import { test } from "node:test"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { isBlank, readDraft, validateDraft } from "./draft.ts"

const read = (text: string | Uint8Array | undefined, options = {}, isUnended = false) =>
  readDraft({ number: 1, bytes: text === undefined ? undefined : Buffer.from(text), isUnended }, options)
const rejected = (code: string, detail: string) => ({ rejection: { code, detail } })

test("a line is a pet, whose photos may be absent", () => {
  const rex = { draft: { name: "Rex", photoUrls: [] } }
  assert.deepEqual(read('{"name":"Rex"}'), rex)
  assert.deepEqual(read('{"name":"Rex","photoUrls":["/a.jpg"],"id":7}'), {
    draft: { name: "Rex", photoUrls: ["/a.jpg"], id: 7 },
  })
  assert.deepEqual(read('{"name":"Rex","photoUrls":[],"id":-7}', { newIds: true }), rex)
  assert.deepEqual(read('{"animal":"Rex"}', { map: new Map([["animal", "name"]]) }), rex)
  assert.deepEqual(read('{"name":"Rex"}', { map: new Map() }), rex)
})

test("a line that is no pet is rejected with the reason", () => {
  assert.deepEqual(read(undefined), rejected("body-too-large", `The line is longer than ${petBytesMax} bytes`))
  assert.deepEqual(read(new Uint8Array([0xff])), rejected("malformed-json", "The line is not UTF-8"))
  assert.deepEqual(
    read(new Uint8Array([0xff]), {}, true),
    rejected("malformed-json", "The line is not UTF-8; the file ends in the middle of it"),
  )
  const torn = read('{"name":', {}, true)
  assert.ok("rejection" in torn)
  assert.match(torn.rejection.detail, /^The line is not valid JSON: .+; the file ends in the middle of it$/)
  assert.equal(torn.rejection.code, "malformed-json")
  const whole = read('{"name":')
  assert.ok("rejection" in whole && !/ends/.test(whole.rejection.detail))
  for (const text of ["[1]", "null", '"text"', "1"]) {
    const other = read(text, { newIds: true })
    assert.ok("rejection" in other)
    assert.deepEqual([other.rejection.code, other.rejection.errors?.length], ["invalid-body", 1])
  }
  const wrong = validateDraft({ name: " ", photoUrls: [1], id: null }, {})
  assert.ok("rejection" in wrong)
  assert.equal(wrong.rejection.errors?.length, 2)
})

test("a line of white space is blank, one that is too long is not", () => {
  const isBlankText = (text: string) => isBlank({ number: 1, bytes: Buffer.from(text), isUnended: false })
  for (const text of ["", " ", "\t\n\v\f\r "]) assert.equal(isBlankText(text), true)
  for (const text of ["a", " a", "\b", "\u000e", "!", "\u00a0"]) assert.equal(isBlankText(text), false)
  assert.equal(isBlank({ number: 1, bytes: undefined, isUnended: false }), false)
})
