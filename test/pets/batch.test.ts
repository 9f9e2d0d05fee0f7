import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { importBytesMax } from "../../src/domain/pets/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { keySender, sender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")
const send = keySender(petstore)

type Result = { id?: number; etag?: string; problem?: { code: string; detail: string; errors?: { pointer: string }[] } }

async function batch(method: "PATCH" | "DELETE", body: unknown, sent: Record<string, string> = {}) {
  const { status, value, headers } = await send(method, "/pets", body, sent)
  return { status, value: value as Result[], code: value.code as string | undefined, headers }
}
const patch = (lines: unknown, sent?: Record<string, string>) => batch("PATCH", lines, sent)
const remove = (lines: unknown, sent?: Record<string, string>) => batch("DELETE", lines, sent)
const ndjson = { "content-type": "application/x-ndjson" }
const outcomes = ({ value }: { value: Result[] }) => value.map(({ id, problem }) => problem?.code ?? id)

async function add(count: number, more: object = {}): Promise<number[]> {
  const body = Array.from({ length: count }, (_, n) => ({ name: `pet ${n}`, photoUrls: [], ...more }))
  return (await store.importPets({ body })).value.map(({ id }) => id as number)
}
const read = (petId: number) => store.getPetById({ params: { petId } })
const etagOf = async (petId: number) => (await read(petId)).headers.get("etag") as string
const inventory = async () => (await store.getInventory()).value as Record<string, number>
const lastEvent = async () => (await petstore.store.events.after(0, 1_000_000)).at(-1)?.id ?? 0
const eventsAfter = async (last: number) =>
  (await petstore.store.events.after(last, 1000)).map(({ json }) => JSON.parse(json))

/** A pet with an open order. */
async function ordered(): Promise<number> {
  const [id] = (await add(1)) as [number]
  await store.placeOrder({ body: { petId: id } })
  return id
}

describe("PATCH /pets", () => {
  test("changes each pet as PATCH /pet/{petId} does, with its event, and refuses the others by themselves", async () => {
    const [a, b, c, d] = (await add(4, { tags: [{ name: "old" }], category: { name: "Cows" } })) as [
      number,
      number,
      number,
      number,
    ]
    const [locked, before, last] = [await ordered(), await inventory(), await lastEvent()]
    const result = await patch([
      { id: d, patch: { name: "last" } },
      { id: a, patch: { status: "sold", tags: [{ name: "new" }] } },
      { id: 987_654, patch: { status: "sold" } },
      { id: b, ifMatch: '"stale"', patch: { name: "never" } },
      { id: b, ifMatch: await etagOf(b), patch: { category: null } },
      { id: locked, patch: { status: "sold" } },
      { id: locked, patch: { name: "on order" } },
      { id: c, patch: { id: a } },
      { id: c, patch: { photoUrls: null } },
      { id: c, patch: {} },
      { id: c, ifMatch: "*", patch: { id: c, category: { name: "Geese" } } },
    ])
    assert.equal(result.status, 200)
    assert.deepEqual(outcomes(result), [
      ...[d, a, "pet-not-found", "precondition-failed", b, "pet-has-open-order", locked],
      ...["invalid-body", "invalid-body", c, c],
    ])
    assert.deepEqual(result.value[7]?.problem?.errors?.[0]?.pointer, "/patch/id")
    assert.match(result.value[7]?.problem?.detail ?? "", /^patch\.id is \d+ and cannot be changed$/)
    assert.deepEqual(result.value[8]?.problem?.errors?.[0]?.pointer, "/patch/photoUrls")
    for (const { id, etag } of [result.value[1], result.value[10]] as Required<Result>[])
      assert.equal(etag, await etagOf(id))
    const { category, ...one } = (await read(a)).value
    assert.deepEqual(
      { name: one.name, status: one.status, tags: one.tags.map(({ name }) => name) },
      {
        name: "pet 0",
        status: "sold",
        tags: ["new"],
      },
    )
    assert.equal(category?.name, "Cows")
    assert.equal((await read(b)).value.category, undefined)
    assert.equal((await read(c)).value.category?.name, "Geese")
    assert.deepEqual(
      (await eventsAfter(last)).map(({ event, data }) => [event, data.id]),
      [a, b, c, d, locked].map((id) => ["pet.updated", id]),
    )
    assert.deepEqual(await inventory(), {
      ...before,
      sold: Number(before.sold) + 1,
      available: Number(before.available) - 1,
    })
  })

  test("applies several lines for one pet in their order, each to what the one before left", async () => {
    const [id] = (await add(1)) as [number]
    const etag = await etagOf(id)
    const result = await patch([
      { id, ifMatch: etag, patch: { name: "first" } },
      { id, ifMatch: etag, patch: { name: "never" } },
      { id, patch: { status: "sold" } },
      { id, patch: { status: "pending" } },
    ])
    assert.deepEqual(outcomes(result), [id, "precondition-failed", id, id])
    const { name, status } = (await read(id)).value
    assert.deepEqual({ name, status }, { name: "first", status: "pending" })
  })

  test("a line that misspells a member of its own is refused; those of a patch are, with strict handling", async () => {
    const [id] = (await add(1)) as [number]
    const lines = [
      { id, ifMtach: '"x"', patch: { name: "never" } },
      { id, status: "sold" },
      { id, ifMatch: "unquoted", patch: { name: "never" } },
      { id, patch: { naem: "ignored" } },
      { patch: {} },
    ]
    const { value } = await patch(lines)
    assert.deepEqual(
      value.map(({ problem }) => problem?.detail),
      [
        "ifMtach is not a member; did you mean ifMatch?",
        "patch is required (and 1 more)",
        "ifMatch must be an ETag with its quotes, or *",
        undefined,
        "id is required",
      ],
    )
    const strict = await patch([lines[3]], { prefer: "handling=strict" })
    assert.equal(strict.value[0]?.problem?.detail, "patch.naem is not a member; did you mean name?")
    assert.equal((await read(id)).value.name, "pet 0")
  })
})

describe("DELETE /pets", () => {
  test("deletes each pet as DELETE /pet/{petId} does, with its event, and refuses the others by themselves", async () => {
    const [a, b, c] = (await add(3)) as [number, number, number]
    const [locked, before, last] = [await ordered(), await inventory(), await lastEvent()]
    const result = await remove([
      { id: c, ifMatch: await etagOf(c) },
      { id: b, ifMatch: '"stale"' },
      { id: locked },
      { id: 987_654 },
      { id: a, ifMatch: null },
      { id: a },
    ])
    assert.deepEqual(outcomes(result), [
      ...[c, "precondition-failed", "pet-has-open-order", "pet-not-found", a, "pet-not-found"],
    ])
    await assert.rejects(read(a), /Pet not found/)
    assert.equal((await read(b)).status, 200)
    assert.deepEqual(
      (await eventsAfter(last)).map(({ event, data }) => [event, data.id]),
      [a, c].map((id) => ["pet.deleted", id]),
    )
    assert.deepEqual(await inventory(), { ...before, available: Number(before.available) - 2 })
  })
})

describe("a batch", () => {
  test("is read as NDJSON too: blank lines are skipped, a malformed one is refused by itself", async () => {
    const [a, b] = (await add(2)) as [number, number]
    const lines = (...texts: string[]) => texts.join("\n")
    const patched = await patch(
      lines(`{"id":${a},"patch":{"name":"línea 🐕"}}\r`, " ", '{"id":', "[]", "null", ""),
      ndjson,
    )
    assert.deepEqual(outcomes(patched), [a, "malformed-json", "invalid-body", "invalid-body"])
    assert.equal((await read(a)).value.name, "línea 🐕")
    assert.deepEqual(outcomes(await remove(lines(`{"id":${a}}`, "", `{"id":${b}}`), ndjson)), [a, b])
  })

  test("that is not 1 to 500 lines or larger than 256 KiB is refused, and changes nothing", async () => {
    const [id] = (await add(1)) as [number]
    const line = { id, patch: { name: "never" } }
    const many = Array.from({ length: 501 }, () => line)
    for (const method of ["PATCH", "DELETE"] as const) {
      const refusals = [
        await batch(method, many),
        await batch(method, many.map((each) => JSON.stringify(each)).join("\n"), ndjson),
        await batch(method, "[]"),
        await batch(method, line),
        await batch(method, "["),
        await batch(method, " ".repeat(importBytesMax + 1)),
        await batch(method, "[]", { "content-type": "text/csv" }),
        await batch(method, ""),
      ]
      assert.deepEqual(
        refusals.map(({ status }) => status),
        [422, 422, 422, 422, 400, 413, 415, 400],
      )
    }
    assert.equal((await read(id)).value.name, "pet 0")
  })

  test("with the same Idempotency-Key runs once, also concurrently, and its results are repeated", async () => {
    const [a, b] = (await add(2)) as [number, number]
    const key = { "idempotency-key": "batch of deletions" }
    const lines = [{ id: a }, { id: 987_654 }]
    const sent = await Promise.all(Array.from({ length: 5 }, () => remove(lines, key)))
    const again = await remove(lines, key)
    assert.deepEqual(outcomes(again), [a, "pet-not-found"])
    assert.equal(again.headers.get("idempotency-replayed"), "true")
    for (const one of sent) assert.ok(one.status === 409 || JSON.stringify(one.value) === JSON.stringify(again.value))
    assert.equal((await remove([{ id: b }], key)).code, "idempotency-key-reused")
    assert.equal((await patch([{ id: b, patch: {} }], key)).code, "idempotency-key-reused")
  })

  test("needs the scope write:pets", async () => {
    const { value: key } = await store.createKey({ body: { name: "reader", scopes: ["read:pets"] } })
    const reading = sender(petstore, "/api/v3", { api_key: key.secret })
    for (const method of ["PATCH", "DELETE"]) assert.equal((await reading(method, "/pets", [], {})).status, 403)
  })

  test("counts each line against the plan, and refuses those beyond it", async () => {
    const { value: account } = await store.createAccount({ body: { name: "batches", plan: "free" } })
    const { value: key } = await store.createKey({
      body: { name: "batches", accountId: account.id, scopes: ["write:pets"] },
    })
    const ids = await add(70)
    const result = await remove(
      ids.map((id) => ({ id })),
      { api_key: key.secret },
    )
    assert.deepEqual(outcomes(result), [...ids.slice(0, 60), ...Array.from({ length: 10 }, () => "quota-exceeded")])
    assert.equal((await patch([], { api_key: key.secret })).status, 429)
    for (const id of ids.slice(60)) assert.equal((await read(id)).status, 200)
  })

  test("runs beside others that change the same pets in other orders, and the inventory stays exact", async () => {
    const ids = await add(60)
    const statuses = ["available", "pending", "sold"] as const
    const bodies = Array.from({ length: 6 }, (_, n) => {
      const order = n % 2 === 0 ? ids : ids.toReversed()
      return order.map((id, at) => ({
        id,
        patch: { status: statuses[(at + n) % 3], tags: [{ name: `tag ${(at * 7 + n) % 9}` }] },
      }))
    })
    const results = await Promise.all(bodies.map((body) => patch(body)))
    assert.deepEqual(
      results.flatMap(({ value }) => value.flatMap(({ problem }) => problem ?? [])),
      [],
    )
    const listed = (await store.listPets({ query: { limit: 1000 } })).value
    const counted = Map.groupBy(listed, ({ status }) => status)
    assert.ok(listed.length < 1000)
    for (const [status, pets] of Object.entries(await inventory()))
      assert.equal(pets, counted.get(status as "sold")?.length ?? 0, status)
    const removals = await Promise.all([ids, ids.toReversed()].map((some) => remove(some.map((id) => ({ id })))))
    assert.equal(removals.flatMap(outcomes).filter((outcome) => typeof outcome === "number").length, 60)
  })

  test("of the maximum size, and of the largest pets, lets other requests run", async () => {
    const large = { photoUrls: Array(50).fill("u".repeat(2048)) }
    const ids: number[] = []
    for (let n = 0; n < 100; n++) ids.push((await store.addPet({ body: { name: `large ${n}`, ...large } })).value.id)
    ids.push(...(await add(400)))
    let worst = 0
    let last = performance.now()
    const timer = setInterval(() => {
      worst = Math.max(worst, performance.now() - last)
      last = performance.now()
    })
    const changed = await patch(ids.map((id) => ({ id, patch: { status: "sold" } })))
    const removed = await remove(ids.map((id) => ({ id })))
    clearInterval(timer)
    assert.deepEqual([outcomes(changed), outcomes(removed)], [ids, ids])
    assert.ok(worst < 500, `${worst} ms without a turn`)
  })

  test("can be sent with the command line", async () => {
    const [id] = (await add(1)) as [number]
    const run = (...argv: string[]) => petstoreCommand(petstore.url, [...argv, "--json"])
    const patched = await run("pets", "patch-batch", "--body", JSON.stringify([{ id, patch: { name: "by command" } }]))
    assert.equal(patched.err, "")
    assert.deepEqual(JSON.parse(patched.out), [{ id, etag: await etagOf(id) }])
    const removed = await run("pets", "delete-batch", "--body", JSON.stringify([{ id }]))
    assert.equal(removed.err, "")
    assert.deepEqual(JSON.parse(removed.out), [{ id }])
  })
})
