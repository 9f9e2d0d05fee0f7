import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckResponse, judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { protocol, repetition, versions } from "./protocol.ts"

const pet = { value: { id: 1 } }

test("HEAD has the status and the media type of GET, and no body", async () => {
  const get = { headers: { "content-type": "a/b" } }
  const judge = (head: CheckResponse) => verdictOf(protocol, "responds-to-head", pet, get, head)
  assert.equal(await judge({ ...get, text: "" }), "passed")
  assert.equal(await judge({ ...get, status: 204, text: "" }), "missed: HEAD /pet/1 was 204 instead of 200")
  assert.equal(await judge({ text: "" }), 'missed: the media type was null instead of "a/b"')
  assert.equal(await judge({ ...get, text: "{}" }), 'missed: the body was "{}" instead of ""')
})

test("Allow names GET among others", async () => {
  const judge = (allow: string) => verdictOf(protocol, "says-which-methods", { status: 405, headers: { allow } })
  for (const allow of ["GET", "HEAD, GET, OPTIONS"]) assert.equal(await judge(allow), "passed")
  for (const allow of ["HEAD", "WIDGET"]) assert.equal(await judge(allow), `missed: Allow is ${allow}`)
  assert.equal(await verdictOf(protocol, "says-which-methods", { status: 405 }), "missed: Allow is null")
})

test("all refusals are problem documents with their status, or none is claimed to be", async () => {
  const problem = { type: "about:blank", title: "Refused", status: 400, detail: "It is refused" }
  const judge = (types: string[], more: object = {}) =>
    verdictOf(
      protocol,
      "has-problem-documents",
      ...types.map((type) => ({
        status: 400,
        headers: { "content-type": type },
        value: { ...problem, ...more },
      })),
    )
  const type = "application/problem+json"
  const right = Array(5).fill(`${type}; charset=utf-8`)
  assert.equal(await judge(right), "passed")
  assert.equal(await judge([...right.slice(1), type]), "passed")
  const none = ["text/plain", "application/json", `x/${type}`]
  for (const other of none) {
    assert.equal(await judge([other]), "unclaimed: its refusals are no problem documents")
    assert.equal(await judge([...right.slice(1), other]), `missed: GET /no-such-path has ${other}`)
    assert.equal(await judge([other, ...right.slice(1)]), `missed: GET /pet/987654321 has ${other}`)
  }
  assert.match(await judge(right, { status: 404 }), /^missed: the status in the response to GET .* was 404 instead of/)
  for (const name of ["type", "title", "detail"])
    assert.match(await judge(right, { [name]: 7 }), /^missed: the problem is \{"type"/)
})

test("a version is checked by If-None-Match until it changes", async () => {
  const judge = (...responses: CheckResponse[]) =>
    verdictOf(versions, "saves-a-body", pet, { headers: { etag: '"a"' } }, ...responses)
  assert.equal(await judge({ status: 304, text: "" }, {}, {}), "passed")
  assert.equal(await judge({ status: 304, text: "{}" }, {}, {}), 'missed: the body was "{}" instead of ""')
  assert.equal(await judge({ status: 304, text: "" }, {}, { status: 304 }), "missed: GET /pet/1 was 304 instead of 200")
  assert.equal(await verdictOf(versions, "saves-a-body", pet, {}), "unclaimed: a pet has no ETag")
  assert.equal(await verdictOf(versions, "saves-a-body", { status: 500 }), "unclaimed: a pet cannot be added")
})

test("of ten changes or creations at once, one succeeds", async () => {
  const changes = (...statuses: number[]) =>
    verdictOf(
      versions,
      "one-of-concurrent-changes",
      pet,
      { headers: { etag: '"a"' } },
      ...statuses.map((status) => ({ status })),
    )
  const refused = Array(9).fill(412)
  assert.equal(await changes(...refused, 200), "passed")
  assert.match(await changes(...refused, 412), /^missed: the statuses was \[412,.* instead of \[200,412/)
  assert.match(await changes(200, 200, ...refused), /^missed: the statuses was \[200,200,412/)

  const creations = (...responses: CheckResponse[]) =>
    verdictOf(repetition, "adds-one-of-concurrent", pet, pet, ...responses)
  const early = { status: 409 }
  assert.equal(await creations(early, pet, early, pet, ...Array(6).fill(early)), "passed")
  assert.equal(await creations({ value: { id: 2 } }, pet), "missed: the number of pets was 2 instead of 1")
  assert.equal(await creations(early), "missed: the number of pets was 0 instead of 1")
  assert.equal(await creations(pet, { status: 500 }), "missed: POST /pet was 500 instead of 200 or 409")
})

test("a service that adds two pets under one key, or none, does not know keys", async () => {
  for (const { name } of repetition.tasks) {
    assert.equal(
      await verdictOf(repetition, name, pet, { value: { id: 2 } }),
      "unclaimed: it does not know Idempotency-Key",
    )
    assert.equal(await verdictOf(repetition, name, { status: 400 }), "unclaimed: it does not give ids")
  }
})

test("what a key repeats is the same, another body is refused, and a refusal can be corrected", async () => {
  const judge = async (name: string, ...responses: CheckResponse[]) => {
    const all = [pet, pet, ...responses]
    const { verdict, requests } = await judgeCheck(repetition, name, (_, n) => all[n - 1] ?? {})
    assert.deepEqual(requests, Array(all.length).fill("POST /pet"))
    return verdict
  }
  const [other, refused] = [{ value: { id: 1, name: "Max" } }, { status: 422 }]
  assert.equal(await judge("repeats-the-response", pet, pet), "passed")
  assert.match(await judge("repeats-the-response", pet, other), /^missed: the response was /)
  assert.equal(await judge("refuses-another-body", refused), "passed")
  assert.equal(await judge("refuses-another-body", pet), "missed: POST /pet was 200 instead of 4xx")
  assert.equal(await judge("remembers-no-refusal", refused, pet), "passed")
  assert.equal(await judge("remembers-no-refusal", refused, refused), "missed: POST /pet was 422 instead of 200")
})
