import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { newOrderPage } from "./new-order.ts"

/** The pets that the form asks for with a query, its title, and the id in its field. */
async function shown(query: string) {
  const asked: number[] = []
  const call = {
    async getPetById({ params: { petId: id } }: { params: { petId: number } }) {
      asked.push(id)
      if (id > 7) throw new Problem("pet-not-found", "No")
      return { value: { id, name: "Rex", status: "available", photoUrls: [] } }
    },
  }
  const visit = {
    call,
    query: new URLSearchParams(query),
    root: "/console",
    path: "/orders/new",
    scopes: new Set(),
    token: "T",
  }
  const { text } = await newOrderPage.show(visit as unknown as Visit)
  return [asked, /<h1>(.*?)<\/h1>/.exec(text)?.[1], /name="petId"[^>]* value="(\d*)"/.exec(text)?.[1]]
}

test("the form of an order has the pet that its address names, if there is one", async () => {
  assert.deepEqual(await shown("petId=7"), [[7], "Order Rex", "7"])
  assert.deepEqual(await shown("petId=1"), [[1], "Order Rex", "1"])
  assert.deepEqual(await shown("petId=8"), [[8], "Place an order", ""])
  for (const query of ["", "petId=", "petId=0", "petId=-1", "petId=1.5", "petId=x", "petId=9007199254740992"])
    assert.deepEqual(await shown(query), [[], "Place an order", ""], query)
})
