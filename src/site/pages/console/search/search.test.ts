import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProblemCode } from "../../../../domain/problems/problems.ts"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { searchPage } from "./search.ts"

const none = (code: ProblemCode) => Promise.reject(new Problem(code, "No"))

/** What a search reads by id, its headings, and what it says of the search. */
async function search(text: string, { pets = [] as number[], hasMore = false, mayGo = true } = {}) {
  const read: string[] = []
  const pet = (id: number) => ({ id, name: `Pet ${id}`, status: "available", photoUrls: [], tags: [] })
  const call = {
    getPetById: ({ params: { petId } }: { params: { petId: number } }) => {
      read.push(`pet ${petId}`)
      return petId === 7 ? Promise.resolve({ value: pet(petId) }) : none("pet-not-found")
    },
    listPets: async () => ({ value: pets.map(pet), next: hasMore ? "next" : undefined }),
    getOrderById: ({ params: { orderId } }: { params: { orderId: number } }) => {
      read.push(`order ${orderId}`)
      return none("order-not-found")
    },
  }
  const visit = {
    call,
    root: "/console",
    query: new URLSearchParams({ q: text }),
    mayGo: (path: string) => mayGo && (path === "/pets" || path.startsWith("/orders/")),
  }
  const { text: page } = await searchPage.show(visit as unknown as Visit)
  return {
    read,
    titles: [...page.matchAll(/<h[12]>(.*?)<\/h[12]>/g)].map(([, title]) => title),
    pets: [...page.matchAll(/href="\/console\/pets\/(\d+)"/g)].map(([, id]) => Number(id)),
    all: /<a href="([^"]*)">All pets with this name</.exec(page)?.[1],
    advice: /<p class="(?:empty|soft)">(Nothing was found|Search for)/.exec(page)?.[1],
  }
}

test("a positive integer is the id of a pet or an order, and no other text", async () => {
  for (const id of ["1", " 7 ", "9007199254740991"])
    assert.deepEqual((await search(id)).read, [`pet ${id.trim()}`, `order ${id.trim()}`], id)
  for (const text of ["0", "-1", "1.5", "9007199254740992", "12345678901234567", "x"])
    assert.deepEqual((await search(text)).read, [], text)
})

test("a pet that is found by its id and its name is shown once, before the others", async () => {
  const found = { read: ["pet 7", "order 7"], titles: ["Results for “7”", "Pets"], all: undefined, advice: undefined }
  assert.deepEqual(await search("7", { pets: [8, 7, 9] }), { ...found, pets: [7, 8, 9] })
  const many = await search("8", { pets: [8], hasMore: true })
  assert.deepEqual([many.pets, many.all], [[8], "/console/pets?name=8"])
})

test("only what the visitor may see is sought", async () => {
  const { read, titles, pets } = await search("7", { pets: [8], mayGo: false })
  assert.deepEqual([read, titles, pets], [[], ["Results for “7”"], []])
})

test("a search that finds nothing, and none, say for what to search", async () => {
  const nothing = { read: [], pets: [], all: undefined }
  assert.deepEqual(await search("qqqq"), { ...nothing, titles: ["Results for “qqqq”"], advice: "Nothing was found" })
  assert.deepEqual(await search(" "), { ...nothing, titles: ["Search"], advice: "Search for" })
})
