import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit, type VisitGiven } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { ordersPage } from "./orders.ts"

/** The list of three orders of two pets, of which one is gone. */
async function shown(given: VisitGiven = {}) {
  const order = (id: number, petId: number) => ({ id, petId, quantity: 1, status: "placed", username: "ada" })
  const calls = {
    listOrderRecords: { value: [order(1, 7), order(2, 8), order(3, 7)] },
    getPetById: ({ params: { petId } }: { params: { petId: number } }) =>
      petId === 8 ? new Problem("pet-not-found", "No") : { value: { id: petId, name: "Rex" } },
  }
  const { visit, called } = openVisit({ path: "/orders", calls, ...given })
  const { text } = await ordersPage.show(visit)
  return {
    called,
    title: /<h1>(.*?)<\/h1>/.exec(text)?.[1],
    pets: [...text.matchAll(/data-label="Pet"><span class="clamp">(.*?)<\/span>/g)].map(([, pet]) => pet),
    canOrder: text.includes(">Order a pet</a>"),
    canChange: text.includes('value="approve"'),
  }
}

test("orders have the names of their pets, each of which is read once", async () => {
  const { called, pets } = await shown()
  assert.deepEqual(pets, ['<a href="/console/pets/7">Rex</a>', "8 (deleted)", '<a href="/console/pets/7">Rex</a>'])
  assert.deepEqual(called, [
    ["listOrderRecords", { query: { limit: 25 } }],
    ["getPetById", { params: { petId: 7 } }],
    ["getPetById", { params: { petId: 8 } }],
  ])
})

test("who may write orders may order a pet, and staff among them move several orders", async () => {
  const ways = async (role: string, scopes: readonly string[]) => {
    const { title, canOrder, canChange } = await shown({ person: { role }, scopes })
    return [title, canOrder, canChange]
  }
  assert.deepEqual(await ways("staff", ["write:orders"]), ["Orders", true, true])
  assert.deepEqual(await ways("customer", ["write:orders"]), ["Your orders", true, false])
  assert.deepEqual(await ways("staff", []), ["Orders", false, false])
})
