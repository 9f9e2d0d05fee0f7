import assert from "node:assert/strict"
import { test } from "node:test"
import { refusalOfRow } from "./check-rows.ts"

type Value = string | number | null

const refusal = (name: string, row: Record<string, Value>) => refusalOfRow(name, Object.keys(row), Object.values(row))

const countMax = 2 ** 52

test("numbers are not negative, and only ids that clients choose may be as large as an id may be", () => {
  for (const [table, column, max] of [
    ["deliveries", "pet_id", Number.MAX_SAFE_INTEGER],
    ["keys", "user_id", Number.MAX_SAFE_INTEGER],
    ["accounts", "id", countMax],
    ["audit_head", "last", countMax],
  ] as const) {
    const of = (value: number) => refusal(table, { name: "text", [column]: value })
    const refused = `has no possible number in ${column}`
    assert.deepEqual(
      [of(0), of(max), of(-1), of(max + 1)],
      [undefined, undefined, refused, refused],
      `${table}.${column}`,
    )
  }
  assert.equal(refusal("keys", { id: "text", name: null }), undefined, "texts are for the database to judge")
})

const pet = { id: 7, name: "Rex", photoUrls: [], tags: [], status: "sold" }
const order = { id: 7, petId: 3, quantity: 1, status: "placed", complete: false }

test("the JSON of a row is an object, where it has one", () => {
  for (const json of ["", "{", "[]", "null", "7", '"text"'])
    assert.equal(refusal("other", { json }), "has no JSON object in json", json)
  assert.equal(refusal("other", { json: "{}" }), undefined)
  assert.equal(refusal("other", { json: null }), undefined)
})

test("a pet and an order are as the contract says, with the id and the status of their row", () => {
  for (const [table, value] of [
    ["pets", pet],
    ["orders", order],
  ] as const) {
    const of = (row: Record<string, Value>, more: object = {}) =>
      refusal(table, { id: 7, status: value.status, ...row, json: JSON.stringify({ ...value, ...more }) })
    const another = `has another ${table.slice(0, -1)} in json`
    assert.equal(of({}), undefined)
    assert.equal(of({ id: 8 }), another)
    assert.equal(of({ status: "pending" }), another)
    assert.match(of({}, { status: "gone" }) ?? "", /must be/)
    assert.equal(of({ id: Number.MAX_SAFE_INTEGER }, { id: Number.MAX_SAFE_INTEGER }), undefined)
    assert.equal(of({ id: -1 }, { id: -1 }), "has no possible number in id")
  }
})

test("an event is of a known kind, the one of its row", () => {
  const of = (kind: string, event: string) => refusal("events", { kind, json: JSON.stringify({ event }) })
  assert.equal(of("pet.created", "pet.created"), undefined)
  for (const [kind, event] of [
    ["pet.created", "pet.deleted"],
    ["toString", "toString"],
    ["unknown", "unknown"],
  ] as const)
    assert.equal(of(kind, event), "is of an unknown kind")
})

test("the moments of a limit are a list of integers", () => {
  for (const offsets of ["[]", "[0,59999]"]) assert.equal(refusal("limit_cells", { offsets }), undefined)
  for (const offsets of ["", "7", "{}", "[1.5]", '[1,"2"]', "[1,null]", "[1,2.5]"])
    assert.equal(refusal("limit_cells", { offsets }), "has no list of numbers in offsets", offsets)
})

test("a user has a role, the id of their row and a hash of usual cost, or is deleted", () => {
  const hash = `$argon2id$v=19$m=19456,t=2,p=1$${"s".repeat(22)}$${"h".repeat(43)}`
  const user = { id: 5, username: "ada", userStatus: 0, role: "customer" }
  const of = (more: object = {}, password_hash: string | null = hash, id = 5) =>
    refusal("users", { id, json: JSON.stringify({ ...user, ...more }), password_hash })
  assert.equal(of(), undefined)
  assert.equal(refusal("users", { id: 5, json: null, password_hash: null }), undefined)
  for (const wrong of [of({ role: "emperor" }), of({ role: undefined }), of({ id: 6 }), of({}, hash, 6)])
    assert.equal(wrong, "has no user in json")
  for (const wrong of [
    null,
    "",
    `x${hash}`,
    `${hash}x`,
    hash.replace("19456", "194560"),
    hash.replace("t=2", "t=22"),
    hash.replace("argon2id", "argon2i"),
    hash.replace("s".repeat(22), "s".repeat(10)),
    hash.replace("s".repeat(22), "s".repeat(87)),
  ])
    assert.equal(of({}, wrong), "has no Argon2 hash of usual cost in password_hash")
  assert.match(of({ email: 7 }) ?? "", /must be/)
})

test("a sandbox has the profile of a sandbox", () => {
  assert.equal(refusal("origin", { profile: "sandbox" }), undefined)
  assert.equal(refusal("origin", { profile: "production" }), "is of another profile")
})

test("an image has a type, its dimensions, and the bytes of each of its parts", () => {
  const image = { type: "image/png", width: 3, height: 2, frames: 1, bytes: { original: 1, "320": 2, "1280": 3 } }
  const of = (more: object) => refusal("images", { json: JSON.stringify({ ...image, ...more }) })
  assert.equal(of({}), undefined)
  for (const wrong of [
    ...["width", "height", "frames"].flatMap((name) => [{ [name]: 1.5 }, { [name]: "1" }, { [name]: undefined }]),
    ...[{ type: "text/html" }, { bytes: null }, { bytes: [1, 2, 3] }, { bytes: "all" }, { bytes: undefined }],
    ...["original", "320", "1280"].map((part) => ({ bytes: { ...image.bytes, [part]: undefined } })),
  ])
    assert.equal(of(wrong), "has no image in json", JSON.stringify(wrong))
})
