import assert from "node:assert/strict"
import { test } from "node:test"
import { judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { specification } from "./specification.ts"

const pet = { value: { id: 7 } }

test("a pet is created with all that was sent, also if its names have ids", async () => {
  const right = {
    name: "Rex",
    photoUrls: [],
    category: { id: 1, name: "Dogs" },
    tags: [{ name: "calm" }],
    status: "sold",
  }
  const judge = (more: object, status = 200) =>
    verdictOf(specification, "creates-a-pet", { status, value: { ...right, ...more } })
  assert.equal(await judge({ id: 7 }), "passed")
  assert.equal(await judge({}, 201), "missed: POST /pet was 201 instead of 200")
  for (const more of [{ name: "Max" }, { photoUrls: ["p"] }, { category: null }, { tags: [] }, { status: "pending" }])
    assert.match(await judge(more), /^missed: the pet was \{.*\} instead of \{"name":"Rex","photoUrls":\[\],/)
})

test("PUT replaces all of a pet", async () => {
  const right = { name: "Max", photoUrls: ["p"], category: { name: "Cats" }, tags: [{ name: "shy" }], status: "sold" }
  const judge = (read: object) => verdictOf(specification, "replaces-a-pet", pet, pet, {}, { value: read })
  assert.equal(await judge(right), "passed")
  for (const more of [
    { tags: [] },
    { tags: [{ name: "calm" }] },
    { category: { name: "Dogs" } },
    { status: "pending" },
  ])
    assert.match(await judge({ ...right, ...more }), /^missed: the pet was /)
})

test("a pet that is refused is not found under its name, and is removed otherwise", async () => {
  const judge = async (status: number, isAdded: boolean) => {
    let name = ""
    const { verdict, requests } = await judgeCheck(
      specification,
      "adds-nothing-that-is-refused",
      ({ request, body }, n) => {
        if (n === 1) return pet
        if (request === "POST /pet") name = (body as { name: string }).name
        return request === "POST /pet" ? { status } : { value: isAdded ? [{ id: 7, name }] : [{ id: 7, name: "Rex" }] }
      },
    )
    return [verdict, requests.length > 3 && requests.at(-1)]
  }
  assert.deepEqual(await judge(422, false), ["passed", false])
  assert.deepEqual(await judge(422, true), ["missed: it was added with the id 7", "DELETE /pet/7"])
  for (const status of [200, 500])
    assert.deepEqual(await judge(status, true), ["unclaimed: it refuses no other status", false])
})

test("a search by status has the pet, and no pet with another status", async () => {
  const judge = (...pets: object[]) => verdictOf(specification, "finds-by-status", pet, pet, { value: pets })
  const [sold, found] = [
    { id: 8, status: "sold" },
    { id: 7, status: "sold" },
  ]
  assert.equal(await judge(sold, found), "passed")
  assert.equal(await judge(sold), "missed: the list does not have the pet 7")
  assert.equal(await judge(found, { id: 8, status: "pending" }), "missed: a pet has another status")
})
