import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckResponse, judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { patches, repetition, versions } from "./changes.ts"

const pet = { value: { id: 1 } }
/** The responses to a request, the same again, and another one. */
const known = [pet, pet, { value: { id: 9 } }]

test("a version is checked by If-None-Match until it changes", async () => {
  const judge = (...responses: CheckResponse[]) =>
    verdictOf(versions, "saves-a-body", pet, { headers: { etag: '"a"' } }, ...responses)
  assert.equal(await judge({ status: 304, text: "" }, {}, {}), "passed")
  assert.equal(await judge({ status: 304, text: "{}" }, {}, {}), 'missed: the body was "{}" instead of ""')
  assert.equal(await judge({ status: 304, text: "" }, {}, { status: 304 }), "missed: GET /pet/1 was 304 instead of 200")
  assert.equal(await verdictOf(versions, "saves-a-body", pet, {}), "unclaimed: a pet has no ETag")
  assert.equal(
    await verdictOf(versions, "saves-a-body", { status: 500 }),
    "unclaimed: a pet cannot be added: POST /pet was 500",
  )
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
    verdictOf(repetition, "adds-one-of-concurrent", ...known, ...responses)
  const early = { status: 409 }
  assert.equal(await creations(early, pet, early, pet, ...Array(6).fill(early)), "passed")
  assert.equal(await creations({ value: { id: 2 } }, pet), "missed: the number of pets was 2 instead of 1")
  assert.equal(await creations(early), "missed: the number of pets was 0 instead of 1")
  assert.equal(await creations(pet, { status: 500 }), "missed: POST /pet was 500 instead of 200 or 409")
})

test("a service that adds two pets under one key, one under two, or none, does not know keys", async () => {
  for (const { name } of repetition.tasks) {
    for (const others of [[{ value: { id: 2 } }], [pet, pet]])
      assert.equal(await verdictOf(repetition, name, pet, ...others), "unclaimed: it does not know Idempotency-Key")
    assert.equal(await verdictOf(repetition, name, { status: 400 }), "unclaimed: it does not give ids")
  }
})

test("what a key repeats is the same, another body is refused, and a refusal can be corrected", async () => {
  const judge = async (name: string, ...responses: CheckResponse[]) => {
    const all = [...known, ...responses]
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

test("a PATCH changes what it names, and nothing when it is refused, or is not known", async () => {
  const before = { id: 1, name: "Rex", status: "sold" }
  const judge = (name: string, status: number, after: object) =>
    verdictOf(patches, name, { value: before }, { status }, { value: after })
  assert.equal(await judge("changes-what-it-names", 200, { ...before, name: "Max" }), "passed")
  assert.equal(await judge("changes-what-it-names", 400, before), "missed: PATCH /pet/1 was 400 instead of 200")
  assert.match(
    await judge("changes-what-it-names", 200, { ...before, name: "Max", status: "available" }),
    /^missed: the pet was/,
  )
  assert.equal(await judge("changes-all-or-nothing", 422, before), "passed")
  assert.equal(await judge("changes-all-or-nothing", 200, before), "missed: PATCH /pet/1 was 200 instead of 4xx")
  assert.match(await judge("changes-all-or-nothing", 422, { ...before, name: "Max" }), /^missed: the pet was/)
  for (const { name } of patches.tasks)
    for (const status of [404, 405, 415, 501])
      assert.equal(await judge(name, status, before), "unclaimed: it does not know PATCH")
})
