import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { importBytesMax, type PetDraft } from "../../src/core/domain/pets/contract.ts"
import { malformed } from "../harness/malformed.ts"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")

const draft = (name: string, more: object = {}): PetDraft => ({ name, photoUrls: [], ...more })
const find = async (name: string) => (await store.listPets({ query: { name, limit: 1000 } })).value

type Result = { id?: number; problem?: { code: string; detail: string; errors?: { pointer: string }[] } }

const send = keySender(petstore)

/** Sends a body as it is. */
async function post(body: string, sent: Record<string, string> = {}) {
  const { status, value, headers } = await send("POST", "/pets/import", body, sent)
  return { status, value: value as Result[], code: value.code as string | undefined, headers }
}
const lines = (...texts: string[]) => post(texts.join("\n"), { "content-type": "application/x-ndjson" })
const codesOf = (results: readonly Result[]) => results.map(({ problem }) => problem?.code)

describe("importPets", () => {
  test("adds each valid pet with its event, in order, and refuses the others by themselves", async () => {
    const last = (await petstore.store.events.after(0, 100_000)).at(-1)?.id ?? 0
    const { value } = await store.importPets({
      body: [
        draft("batch 1", { category: { name: "Batch cats" }, tags: [{ name: "batch" }], status: "sold" }),
        malformed({ name: 5, photoUrls: [], tags: [{ name: "never" }] }),
        draft("batch 2", { id: 1, tags: [{ name: "also never" }] }),
        draft("batch 3", { id: 7001 }),
        draft("batch 4", { id: 7001 }),
        draft("batch 5", { id: 0, category: null, tags: [{ name: "batch" }] }),
      ],
    })
    const [first, wrong, taken, chosen, twice, lastOne] = value as Result[]
    assert.deepEqual(codesOf(value as Result[]), [
      undefined,
      "invalid-body",
      "pet-exists",
      undefined,
      "pet-exists",
      undefined,
    ])
    assert.equal(chosen?.id, 7001)
    assert.deepEqual(
      wrong?.problem?.errors?.map(({ pointer }) => pointer),
      ["/name"],
    )
    assert.match(taken?.problem?.detail ?? "", /id 1 already exists/)
    assert.match(twice?.problem?.detail ?? "", /id 7001 already exists/)

    const pets = await find("batch ")
    assert.deepEqual(pets.map(({ name }) => name).sort(), ["batch 1", "batch 3", "batch 5"])
    const one = pets.find(({ id }) => id === first?.id)
    assert.deepEqual(one && { ...one, id: 0 }, {
      ...draft("batch 1", { id: 0, status: "sold" }),
      category: { id: one?.category?.id, name: "Batch cats" },
      tags: [{ id: one?.tags[0]?.id, name: "batch" }],
    })
    const events = (await petstore.store.events.after(last, 100)).map(({ json }) => JSON.parse(json))
    assert.deepEqual(
      events.map(({ event, data }) => ({ event, id: data.id })),
      [first?.id, 7001, lastOne?.id].map((id) => ({ event: "pet.created", id })),
    )
    // A refused pet leaves no names: these two get ids in the order they are added here.
    const { tags } = (
      await store.addPet({ body: draft("labels", { tags: [{ name: "also never" }, { name: "never" }] }) })
    ).value
    const highest = Math.max(...pets.flatMap((pet) => pet.tags.map(({ id }) => id)))
    assert.deepEqual(
      tags.map(({ id }) => id),
      [highest + 1, highest + 2],
    )
  })

  test("reads NDJSON: blank lines are skipped, a malformed one is refused by itself", async () => {
    const { status, value } = await lines(
      '{"name":"line 1","photoUrls":[]}\r',
      " ",
      '{"name":"line 2"',
      '{"name":"línea 🐕","photoUrls":[]}',
      "[]",
      "null",
      "",
    )
    assert.equal(status, 200)
    assert.deepEqual(codesOf(value), [undefined, "malformed-json", undefined, "invalid-body", "invalid-body"])
    assert.equal((await find("línea 🐕")).length, 1)
  })

  test("refuses a body that is not 1 to 500 pets or larger than 256 KiB, and adds none", async () => {
    const many = Array.from({ length: 501 }, (_, n) => draft(`too many ${n}`))
    const refusals = [
      await post(JSON.stringify(many)),
      await lines(...many.map((each) => JSON.stringify(each))),
      await post("[]"),
      await lines("", " "),
      await post(JSON.stringify(draft("too many"))),
      await post(`[${JSON.stringify(draft("too many"))},`),
      await post(" ".repeat(importBytesMax + 1)),
      await post("[]", { "content-type": "text/csv" }),
    ]
    assert.deepEqual(
      refusals.map(({ status, code }) => ({ status, code })),
      [
        ...Array.from({ length: 5 }, () => ({ status: 422, code: "invalid-body" })),
        { status: 400, code: "malformed-json" },
        { status: 413, code: "body-too-large" },
        { status: 415, code: "unsupported-media-type" },
      ],
    )
    assert.equal((await find("too many")).length, 0)
  })

  test("reports at most ten violations of each pet, and reads no more lines than it accepts", async () => {
    const wrong = { name: 5, photoUrls: Array(50).fill(7), tags: Array(50).fill({}) }
    const { value } = await post(JSON.stringify([wrong, wrong]))
    assert.deepEqual(
      value.map(({ problem }) => problem?.errors?.length),
      [10, 10],
    )
    const { code } = await lines(...Array.from({ length: 100_000 }, () => "{"))
    assert.equal(code, "invalid-body")
  })

  test("with the same Idempotency-Key adds the batch once, also concurrently, and repeats its results", async () => {
    const body = [draft("once 1"), draft("once 2", { id: 1 })]
    const headers = { "idempotency-key": "batch-1" }
    const sent = await Promise.allSettled(Array.from({ length: 5 }, () => store.importPets({ body }, { headers })))
    const { value } = await store.importPets({ body }, { headers })
    assert.deepEqual(codesOf(value as Result[]), [undefined, "pet-exists"])
    for (const one of sent) if (one.status === "fulfilled") assert.deepEqual(one.value.value, value)
    assert.equal((await find("once ")).length, 1)
    const other = await post(JSON.stringify([draft("once 3")]), headers)
    assert.equal(other.code, "idempotency-key-reused")
  })

  test("of two batches with the same ids each pet is added by one", async () => {
    const batch = Array.from({ length: 100 }, (_, n) => draft(`race ${n}`, { id: 8000 + n }))
    const results = await Promise.all([batch, batch.toReversed()].map((body) => store.importPets({ body })))
    const added = results.flatMap(({ value }) => value.flatMap(({ id }) => (id === undefined ? [] : [id])))
    assert.deepEqual(
      added.sort((a, b) => a - b),
      batch.map(({ id }) => id),
    )
    assert.equal((await find("race ")).length, 100)
  })

  test("batches with the same new names in different orders, and with every status, are all added and counted", async () => {
    const inventory = async () => (await store.getInventory()).value as Record<string, number>
    const before = await inventory()
    const statuses = ["available", "pending", "sold"] as const
    const batch = Array.from({ length: 60 }, (_, n) =>
      draft(`crossed ${n}`, {
        status: statuses[n % 3],
        category: { name: `crossed ${n % 7}` },
        tags: [{ name: `crossed ${n % 11}` }],
      }),
    )
    const orders = Array.from({ length: 6 }, (_, n) => [...batch.slice(n * 10), ...batch.slice(0, n * 10)])
    const bodies = orders.map((order, n) => (n % 2 === 0 ? order : order.toReversed()))
    const results = await Promise.all(bodies.map((body) => store.importPets({ body })))
    assert.deepEqual(results.flatMap(({ value }) => codesOf(value as Result[])).filter(Boolean), [])
    const pets = await find("crossed ")
    assert.equal(pets.length, 360)
    const idsByName = Map.groupBy(pets, ({ category }) => category?.name ?? "")
    for (const [name, some] of idsByName) assert.equal(new Set(some.map(({ category }) => category?.id)).size, 1, name)
    const after = await inventory()
    for (const status of statuses) assert.equal(after[status], (before[status] ?? 0) + 120)
  })

  test("counts each pet against the plan, also of a repeated batch, and refuses the pets beyond it", async () => {
    const { value: account } = await store.createAccount({ body: { name: "batches", plan: "free" } })
    const { value: key } = await store.createKey({
      body: { name: "batches", accountId: account.id, scopes: ["read:pets", "write:pets"] },
    })
    const counted = petstore.as(key.secret)
    // Once in each response: two values would be joined.
    const leftIn = ({ headers }: { headers: Headers }) =>
      Number(/^"minute";r=(\d+);t=\d+, "day";r=\d+;t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1])
    const left = async () => leftIn(await counted.getPetById({ params: { petId: 1 } }))
    assert.equal(await left(), 59)
    const body = Array.from({ length: 20 }, (_, n) => draft(`counted ${n}`))
    const headers = { "idempotency-key": "counted" }
    assert.equal(leftIn(await counted.importPets({ body }, { headers })), 39)
    assert.equal(await left(), 38)
    assert.equal(leftIn(await counted.importPets({ body }, { headers })), 18)
    assert.equal(await left(), 17)
    const beyond = await counted.importPets({ body: Array.from({ length: 50 }, (_, n) => draft(`beyond ${n}`)) })
    assert.equal(leftIn(beyond), 0)
    assert.deepEqual(codesOf(beyond.value as Result[]), [
      ...Array.from({ length: 17 }, () => undefined),
      ...Array.from({ length: 33 }, () => "quota-exceeded"),
    ])
    assert.equal((await find("beyond ")).length, 17)
    assert.equal((await post("[]", { api_key: key.secret })).code, "quota-exceeded")
  })

  test("lets other requests run while a batch of the maximum size is added", async () => {
    const photo = "x".repeat(100)
    const tags = Array.from({ length: 9 }, (_, n) => ({ name: `busy ${n}` }))
    const body = Array.from({ length: 500 }, (_, n) => draft(`busy ${n}`, { photoUrls: [photo], tags }))
    let isRunning = true
    const running = store.importPets({ body }).finally(() => {
      isRunning = false
    })
    let reads = 0
    while (isRunning) {
      await store.getPetById({ params: { petId: 2 } })
      if (isRunning) reads += 1
    }
    assert.equal((await running).value.filter(({ id }) => id).length, 500)
    assert.ok(reads >= 1, `${reads} reads`)
  })

  test("lets other requests run while thousands of new tags are added, of which each gets one id", async () => {
    const tagsOf = (pet: number) => Array.from({ length: 12 }, (_, n) => ({ name: `new ${(pet * 7 + n) % 4000}` }))
    const body = Array.from({ length: 500 }, (_, n) => draft(`tagged ${n}`, { tags: tagsOf(n) }))
    let turns = 0
    const count = setInterval(() => turns++)
    const [first, second] = await Promise.all([store.importPets({ body }), store.importPets({ body })])
    clearInterval(count)
    assert.ok([...first.value, ...second.value].every(({ id }) => id))
    assert.ok(turns >= 8, `${turns} turns`)
    const ids = Map.groupBy(
      (await find("tagged ")).flatMap(({ tags }) => tags ?? []),
      ({ name }) => name,
    )
    assert.ok(ids.size > 3000)
    for (const [name, some] of ids) assert.equal(new Set(some.map(({ id }) => id)).size, 1, name)
  })
})
