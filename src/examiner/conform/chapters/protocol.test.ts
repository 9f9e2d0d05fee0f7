import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckResponse, verdictOf } from "../../../../test/harness/conform-check.ts"
import { protocol } from "./protocol.ts"

const pet = { value: { id: 1 } }

test("HEAD has the status and the media type of GET, and no body", async () => {
  const get = { headers: { "content-type": "a/b" } }
  const judge = (head: CheckResponse) => verdictOf(protocol, "responds-to-head", pet, pet, get, head)
  assert.equal(await judge({ ...get, text: "" }), "passed")
  assert.equal(await judge({ ...get, status: 204, text: "" }), "missed: HEAD /pet/1 was 204 instead of 200")
  assert.equal(await judge({ text: "" }), 'missed: the media type was null instead of "a/b"')
  assert.equal(await judge({ ...get, text: "{}" }), 'missed: the body was "{}" instead of ""')
})

test("Allow names GET among others", async () => {
  const judge = (allow: string) => verdictOf(protocol, "says-which-methods", pet, { status: 405, headers: { allow } })
  for (const allow of ["GET", "HEAD, GET, OPTIONS"]) assert.equal(await judge(allow), "passed")
  for (const allow of ["HEAD", "WIDGET"]) assert.equal(await judge(allow), `missed: Allow is ${allow}`)
  assert.equal(await verdictOf(protocol, "says-which-methods", pet, { status: 405 }), "missed: Allow is null")
})

test("all refusals are problem documents with their status, or none is claimed to be", async () => {
  const problem = { type: "about:blank", title: "Refused", status: 400, detail: "It is refused" }
  const judge = async (types: string[], more: object = {}) => {
    const verdict = await verdictOf(
      protocol,
      "has-problem-documents",
      pet,
      ...types.map((type) => ({
        status: 400,
        headers: { "content-type": type },
        value: { ...problem, ...more },
      })),
    )
    return verdict.replace(/\d{7,}/, "…")
  }
  const type = "application/problem+json"
  const right = Array(5).fill(`${type}; charset=utf-8`)
  assert.equal(await judge(right), "passed")
  assert.equal(await judge([...right.slice(1), type]), "passed")
  const none = ["text/plain", "application/json", `x/${type}`]
  for (const other of none) {
    assert.equal(await judge([other]), "unclaimed: its refusals are no problem documents")
    assert.equal(await judge([...right.slice(1), other]), `missed: GET /no-such-path has ${other}`)
    assert.equal(await judge([other, ...right.slice(1)]), `missed: GET /pet/… has ${other}`)
  }
  assert.match(await judge(right, { status: 404 }), /^missed: the status in the response to GET .* was 404 instead of/)
  for (const name of ["type", "title", "detail"])
    assert.match(await judge(right, { [name]: 7 }), /^missed: the problem is \{"type"/)
})

test("a PUT that is sent again has the same result", async () => {
  const judge = (...responses: CheckResponse[]) => verdictOf(protocol, "repeats-a-put", pet, pet, ...responses)
  const max = { value: { id: 1, name: "Max" } }
  assert.equal(await judge(max, max), "passed")
  assert.equal(
    await judge(max, { value: { id: 1, name: "Max (2)" } }),
    'missed: the pet was {"id":1,"name":"Max (2)"} instead of {"id":1,"name":"Max"}',
  )
  assert.equal(await judge(max, { status: 404 }), "missed: PUT /pet was 404 instead of 200")
  for (const other of [{ status: 404 }, pet]) assert.equal(await judge(other), "unclaimed: a pet cannot be replaced")
})

test("Location leads to what was made, or no creation has one", async () => {
  const made = { status: 201, value: { id: 7 }, headers: { location: "pet/7" } }
  const judge = (...responses: CheckResponse[]) => verdictOf(protocol, "leads-to-what-was-made", pet, ...responses)
  assert.equal(await judge(made, { status: 404 }, { value: { id: 7 } }), "passed")
  assert.equal(await judge({ status: 404 }, made, { value: { id: 8 } }), "missed: the id was 8 instead of 7")
  assert.equal(await judge(pet, made, { status: 404 }), "missed: GET http://a/pet/7 was 404 instead of 200")
  assert.equal(
    await judge({ ...made, status: 200 }, { ...made, headers: {} }),
    "unclaimed: no response to a creation has Location",
  )
})

test("a refusal discloses nothing, where something is refused", async () => {
  const judge = (...responses: CheckResponse[]) => verdictOf(protocol, "discloses-nothing", pet, ...responses)
  assert.equal(await judge({ status: 404, value: { detail: "There is no pet at 127.0.0.1:80:12" } }), "passed")
  assert.equal(await judge({}), "unclaimed: it refuses nothing")
  assert.match(
    await judge({ status: 400 }, { status: 500, text: "main.go:7" }),
    /^missed: POST \/pet discloses a stack trace of Go: main.go:7$/,
  )
})
