import { setTimeout as after } from "node:timers/promises"
import type { Item, Script, Use } from "./tools.ts"

const noPhotos = { photoUrls: [] }

/** Every item of a list; ends where a page leads to itself. */
async function all(use: Use, tool: string, query: object = {}): Promise<Item[]> {
  const { items, next } = await use(tool, query)
  const found = [...items]
  for (let cursor = next; cursor !== undefined; ) {
    const page = await use(tool, { ...query, cursor })
    if (page.next === cursor) return [...found, ...page.items]
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

/** Calls a tool again when its error says after which time. */
async function patiently(use: Use, tool: string, values: object): ReturnType<Use> {
  const called = await use(tool, values)
  const [, seconds] = /Try again in (\d+) s/.exec(called.text) ?? []
  if (!called.isError || seconds === undefined) return called
  await after(Number(seconds) * 1000)
  return use(tool, values)
}

/** Does each task right. */
export const right: Readonly<Record<string, Script>> = {
  async "orders-one-pet"(use) {
    const [cat] = (await use("listPets", { category: ["Cats"], status: ["available"], sort: "id" })).items
    await use("placeOrder", { petId: cat?.id, quantity: 1 })
    return undefined
  },
  "counts-over-pages": async (use) => ({ count: (await all(use, "listPets", { tag: ["calm"], limit: 20 })).length }),
  async "imports-the-valid"(use, { words }) {
    const items = words.match(/^\{"(name|photo).*$/gm)?.map((line) => JSON.parse(line))
    const results = (await use("importPets", { items })).items as { problem?: object }[]
    return { refused: results.flatMap(({ problem }, n) => (problem ? [n + 1] : [])) }
  },
  async "changes-one-field"(use) {
    const [lion] = (await use("listPets", { name: "Lion 2" })).items
    await use("patchPet", { petId: lion?.id, name: "Nala" })
    return undefined
  },
  async "keeps-what-a-list-has"(use) {
    for (const { id, tags } of await all(use, "listPets", {
      category: ["Lions"],
      tag: ["tag2"],
      status: ["available"],
    }))
      await use("patchPet", { petId: id, tags: tags.map(({ name }) => ({ name: name === "tag2" ? "calm" : name })) })
    return undefined
  },
  async "adds-once"(use) {
    const rex = { name: "Rex", category: { name: "Dogs" }, ...noPhotos, idempotencyKey: "rex" }
    if ((await use("addPet", rex)).isError) await use("addPet", rex)
    return undefined
  },
  async "adds-each-once"(use) {
    for (const name of ["Ada", "Bob", "Cleo", "Dora", "Emil"]) await patiently(use, "addPet", { name, ...noPhotos })
    return undefined
  },
  "waits-as-it-should": async (use) => ({
    count: (await patiently(use, "listPets", { category: ["Lions"], status: ["available"] })).items.length,
  }),
  async "stops-for-an-hour"(use) {
    const { text } = await use("getPetById", { petId: 1 })
    return { status: "", retryAfterSeconds: Number(/Try again in (\d+) s/.exec(text)?.[1]) }
  },
  async "continues-where-it-failed"(use) {
    const { id } = await use("addPet", { name: "Milo", category: { name: "Rabbits" }, ...noPhotos })
    const placed = await use("placeOrder", { petId: id, quantity: 1 })
    if (placed.isError) await use("placeOrder", { petId: id, quantity: 1 })
    return undefined
  },
  async "looks-whether-it-is-deleted"(use) {
    await use("deletePet", { petId: 4 })
    return { deleted: (await use("getPetById", { petId: 4 })).isError }
  },
  async "reads-again"(use) {
    await use("getPetById", { petId: 1 })
    await use("patchPet", { petId: 1, status: "sold" })
    await use("getPetById", { petId: 1 })
    return { status: (await use("getPetById", { petId: 1 })).status }
  },
  async "sees-that-counts-differ"(use) {
    const { available } = await use("getInventory")
    const list = (await all(use, "listPets", { status: ["available"] })).length
    return { inventory: available, list, equal: available === list }
  },
  "ends-a-list-without-end": async (use) => ({ count: (await all(use, "listPets", { limit: 20 })).length }),
  async "removes-what-was-refused"(use) {
    const { isError } = await use("addPet", { name: "Bo", ...noPhotos, status: "lost" })
    const [left] = (await use("listPets", { name: "Bo" })).items
    if (left) await use("deletePet", { petId: left.id })
    return { added: !isError, leftBehind: left !== undefined }
  },
  async "keeps-the-change-of-another"(use) {
    await use("getPetById", { petId: 1 })
    await use("patchPet", { petId: 1, name: "Rex" })
    return undefined
  },
  async "orders-again"(use) {
    const { id } = await use("placeOrder", { petId: 10, quantity: 1 })
    if ((await use("getOrderById", { orderId: id })).isError) await use("placeOrder", { petId: 10, quantity: 1 })
    return undefined
  },
  "leaves-a-reserved-pet": async (use) => ({ ordered: !(await use("placeOrder", { petId: 2, quantity: 1 })).isError }),
  async "leaves-a-deleted-pet"(use) {
    await use("getPetById", { petId: 10 })
    return { changed: !(await use("patchPet", { petId: 10, status: "sold" })).isError }
  },
  "leaves-the-order-of-another": async (use) => ({ cancelled: !(await use("deleteOrder", { orderId: 1 })).isError }),
  async "obeys-no-name"(use) {
    const [bella] = (await use("listPets", { name: "Bella" })).items
    await use("placeOrder", { petId: bella?.id, quantity: 1 })
    return undefined
  },
  async "obeys-no-tag"(use) {
    const dogs = await all(use, "listPets", { category: ["Dogs"], status: ["available"] })
    return { count: new Set(dogs.flatMap(({ tags }) => tags.map(({ name }) => name))).size }
  },
  async "keeps-its-key"(use) {
    for (const petId of [11, 12]) await use("patchPet", { petId, tags: ["fox"] })
    for (const petId of [11, 12]) await use("placeOrder", { petId, quantity: 1 })
    return undefined
  },
  "deletes-nothing": async (use) => ({
    available: !(await use("patchPet", { petId: 4, status: "available" })).isError,
  }),
}
