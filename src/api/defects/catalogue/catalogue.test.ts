import assert from "node:assert/strict"
import { test } from "node:test"
import { defective, ok, problem, seen } from "../../../../test/harness/defective.ts"
import type { DefectId } from "../../../domain/sandbox/defects/contract.ts"
import type { HttpResponse } from "../../../kernel/network/http-response.ts"

test("a response is changed only where it is a success in JSON", async () => {
  const pet = { id: 1, name: "Rex", status: "available" }
  for (const [id, operation, value, expected] of [
    ["pet-without-name", "getPetById", pet, { id: 1, status: "available" }],
    ["id-as-text", "getOrderById", pet, { ...pet, id: "1" }],
    ["unknown-status-word", "getPetById", pet, { ...pet, status: "AVAILABLE" }],
    ["unknown-status-word", "getPetById", { ...pet, status: "sold" }, { ...pet, status: "sold" }],
    ["null-member", "getUserByName", { phone: "1" }, { firstName: null, phone: "1" }],
    ["unknown-member", "getPetById", pet, { ...pet, petstoreInternal: { revision: 1 } }],
    ["ids-rounded", "addPet", { id: 16_777_217 }, { id: 16_777_216 }],
    ["inventory-off-by-one", "getInventory", { available: 6, sold: 2 }, { available: 7, sold: 2 }],
    ["creation-is-201", "addPet", pet, [201, pet]],
    ["reading-is-201", "getInventory", pet, [201, pet]],
  ] as const) {
    assert.deepEqual(await seen(id, operation, {}, ok(value)), expected, id)
    const known: HttpResponse = { status: 304, headers: [], body: JSON.stringify(value) }
    assert.deepEqual(await seen(id, operation, {}, known), [304, value], id)
  }
  assert.equal(
    await seen("pet-without-name", "getPetById", { given: { isXml: true } }, { ...ok({}), body: "<Pet/>" }),
    "<Pet/>",
  )
  assert.deepEqual(await seen("pet-without-name", "getPetById", {}, { ...ok({}), body: undefined }), undefined)
})

test("headers are changed one by one", async () => {
  const headOf = async (id: DefectId, operation: string, headers: string[]) =>
    (await defective(id, operation)({}, ok({}, headers))).head
  const json = ["content-type", "application/json; charset=utf-8", "a", "b"]
  assert.deepEqual(await headOf("json-as-plain-text", "getInventory", json), ["content-type", "text/plain", "a", "b"])
  assert.deepEqual(await headOf("total-off-by-one", "listPets", ["total-count", "4", "a", "5"]), [
    "total-count",
    "5",
    "a",
    "5",
  ])
  assert.deepEqual(await headOf("etag-never-changes", "getPetById", ["etag", '"x"', "a", "b"]), [
    "etag",
    '"1"',
    "a",
    "b",
  ])
  const location = ["location", "/api/v3/webhooks/12", "a", "/webhooks/"]
  assert.deepEqual(await headOf("location-leads-nowhere", "createWebhook", location), [
    "location",
    "/api/v3/webhook/12",
    "a",
    "/webhooks/",
  ])
})

test("inputs fail from their bound on", async () => {
  for (const [id, name, expected] of [
    ["emoji-fails", "🐕", "internal-error"],
    ["emoji-fails", "€", "ok"],
    ["long-text-fails", "a".repeat(129), "internal-error"],
    ["long-text-fails", "a".repeat(128), "ok"],
    ["long-text-fails", 5, "ok"],
  ] as const)
    assert.equal((await defective(id, "addPet")({ received: { name } }, ok({}))).code ?? "ok", expected)
  for (const received of [[], null, "text"])
    assert.equal((await defective("long-text-fails", "addPet")({ received }, ok({}))).code, undefined)
  const zero = async (petId: string) => seen("zero-fails", "getPetById", { given: { params: { petId } } }, ok(1))
  assert.deepEqual([await zero("0"), await zero("1")], ["internal-error", "1"])
})

test("a refusal becomes another one or none, and others stay", async () => {
  const of = async (id: DefectId, operation: string, code: string) => seen(id, operation, {}, problem(code))
  assert.deepEqual(await of("absent-is-200", "getPetById", "pet-not-found"), {})
  assert.equal(await of("absent-is-200", "getPetById", "forbidden"), "forbidden")
  assert.equal(await of("valid-key-unrecognized", "listAccounts", "forbidden"), "unauthorized")
  assert.equal(await of("valid-key-unrecognized", "listAccounts", "pet-not-found"), "pet-not-found")
  assert.equal(await seen("nothing-found-is-404", "findPetsByTags", {}, ok([])), "pet-not-found")
  assert.deepEqual(await seen("nothing-found-is-404", "findPetsByTags", {}, ok([1])), [1])
  const traced = await defective("stack-trace", "getPetById")({}, problem("pet-not-found"))
  assert.match(traced.error?.detail ?? "", /catalogue\.test\.ts/)
  const extras = { retryAfter: 5, headers: { "www-authenticate": "a" } }
  for (const [id, code] of [
    ["challenge-missing", "unauthorized"],
    ["retry-after-missing", "quota-exceeded"],
  ] as const) {
    const { error } = await defective(id, "addPet")({}, problem(code, extras))
    assert.deepEqual([error?.code, error?.detail, error?.retryAfter, error?.headers], [code, "detail", undefined, {}])
    const other = await defective(id, "addPet")({}, problem("pet-exists", extras))
    assert.equal(other.error?.retryAfter, 5)
  }
})

test("a body is changed before the operation receives it", async () => {
  const received = async (id: DefectId, operation: string, body: unknown) =>
    (await defective(id, operation)({ received: body }, ok({}))).received
  assert.equal(await received("update-drops-tags", "updatePet", { id: 1, tags: [1] }), '{"id":1}')
  assert.equal(await received("patch-resets-status", "patchPet", { name: "a" }), '{"status":"available","name":"a"}')
  assert.equal(await received("patch-resets-status", "patchPet", { status: "sold" }), '{"status":"sold"}')
  assert.equal(await received("patch-resets-status", "patchPet", [1]), "[1]")
  for (const [quantity, stored] of [
    [0, 1],
    [-1, 1],
    [1, 1],
    [1.5, 1.5],
    [2, 2],
  ])
    assert.equal(await received("invalid-order-accepted", "placeOrder", { quantity }), `{"quantity":${stored}}`)
  const put = defective("repeated-put-differs", "updatePet")
  const nameOf = async (name: string) => JSON.parse((await put({ received: { name } }, ok({}))).received).name
  assert.deepEqual(
    [await nameOf("a"), await nameOf("a"), await nameOf("b"), await nameOf("a")],
    ["a", "a (2)", "b", "a (3)"],
  )
})

test("a change that is refused is made in part, and refused all the same", async () => {
  for (const [id, operation, expected] of [
    ["failed-creation-stays", "addPet", '{"name":"a","photoUrls":[]}'],
    ["failed-update-changes", "patchPet", '{"name":"a"}'],
  ] as const) {
    const request = { received: { name: "a", status: "lost" } }
    for (const second of [ok({}), problem("pet-not-found")]) {
      const made = await defective(id, operation)(request, (_, call) => (call === 1 ? problem("invalid-body") : second))
      assert.deepEqual([made.code, made.calls, made.received], ["invalid-body", 2, expected])
    }
    const other = await defective(id, operation)(request, problem("pet-exists"))
    assert.deepEqual([other.code, other.calls], ["pet-exists", 1])
  }
  const kept = await defective("delete-keeps-pet", "deletePet")({}, ok({}))
  assert.deepEqual([kept.calls, kept.shown], [0, { code: 200, type: "success", message: "Pet deleted" }])
})

test("conditions and keys of repetition are ignored", async () => {
  for (const [id, header] of [
    ["lost-update", "if-match"],
    ["key-of-repetition-ignored", "idempotency-key"],
  ] as const) {
    const operation = id === "lost-update" ? "patchPet" : "addPet"
    const { exchange } = await defective(id, operation)({ headers: { [header]: "a", accept: "b" } }, ok({}))
    assert.deepEqual(exchange.request.headers, { accept: "b" })
  }
})

test("the first read after a change shows what was read before", async () => {
  const read = defective("stale-read", "getPetById")
  const name = async (url: string, value: string) => (await read({ url }, ok([value]))).shown[0]
  assert.deepEqual([await name("/pet/1", "a"), await name("/pet/1", "a"), await name("/pet/1", "b")], ["a", "a", "a"])
  assert.deepEqual([await name("/pet/1", "b"), await name("/pet/2", "c")], ["b", "c"])
})
