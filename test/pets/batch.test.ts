import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { watchLoop } from "../harness/event-loop.ts"
import { keySender } from "../harness/send.ts"
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
const outcomes = ({ value }: { value: Result[] }) => value.map(({ id, problem }) => problem?.code ?? id)

async function add(count: number, more: object = {}): Promise<number[]> {
  const body = Array.from({ length: count }, (_, n) => ({ name: `pet ${n}`, photoUrls: [], ...more }))
  return (await store.importPets({ body })).value.map(({ id }) => id as number)
}
const read = (petId: number) => store.getPetById({ params: { petId } })
const etagOf = async (petId: number) => (await read(petId)).headers.get("etag") as string
const inventory = async () => (await store.getInventory()).value as Record<string, number>

describe("a batch", () => {
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

  test("of the maximum size, and of the largest pets, lets other requests run (slow)", async () => {
    const large = { photoUrls: Array(50).fill("u".repeat(2048)) }
    const ids: number[] = []
    for (let n = 0; n < 100; n++) ids.push((await store.addPet({ body: { name: `large ${n}`, ...large } })).value.id)
    ids.push(...(await add(400)))
    const stopWatch = watchLoop()
    const changed = await patch(ids.map((id) => ({ id, patch: { status: "sold" } })))
    const removed = await remove(ids.map((id) => ({ id })))
    const worst = stopWatch()
    assert.deepEqual([outcomes(changed), outcomes(removed)], [ids, ids])
    assert.ok(worst < 500, `${worst} ms of processor time without a turn`)
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
