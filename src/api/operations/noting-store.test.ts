import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../../domain/ports/store.ts"
import type { Explanation } from "../../server/exchange/exchange.ts"
import { nameEvents, notingStore } from "./noting-store.ts"

/** A store that numbers events from 1; a transaction runs so many times. */
function noting(runs = 1) {
  const explanation: Pick<Explanation, "events"> = { events: [] }
  let last = 0
  const events = {
    add: async () => ++last,
    addAll: async (added: readonly unknown[]) => added.map(() => ++last),
  }
  const store = {
    async transaction(work: (tx: object) => Promise<unknown>) {
      for (let n = 1; n < runs; n++) await work({ events })
      return work({ events })
    },
  }
  const { transaction, shared } = notingStore(store as unknown as Store, explanation)
  return { transaction, shared, explanation }
}

const pet = { id: 1, name: "Rex", status: "available" } as const

test("the events of committed transactions are noted, of a repeated one the last", async () => {
  for (const [runs, first] of [
    [1, 1],
    [3, 7],
  ] as const) {
    const { transaction, explanation } = noting(runs)
    const result = await transaction(async (tx) => {
      await tx.events.add("pet.created", pet, 5)
      const numbers = await tx.events.addAll([
        { kind: "pet.created", data: pet, at: 5 },
        { kind: "pet.deleted", data: pet, at: 5 },
      ] as Parameters<typeof tx.events.addAll>[0])
      return numbers.length
    })
    assert.equal(result, 2)
    assert.deepEqual(explanation.events, [
      { number: first, event: "pet.created" },
      { number: first + 1, event: "pet.created" },
      { number: first + 2, event: "pet.deleted" },
    ])
  }
})

test("a failed transaction notes none, and shared work has one of its own", async () => {
  const { transaction, shared, explanation } = noting()
  const fail = async () => Promise.reject(new Error("failed"))
  await assert.rejects(transaction(fail), /failed/)
  const result = await shared(async (tx, inputs) => {
    await tx.events.add("pet.created", pet, 5)
    return inputs.map((input) => `${input} done`)
  }, "work")
  assert.equal(result, "work done")
  assert.deepEqual(explanation.events, [{ number: 1, event: "pet.created" }])
})

test("noted events get their public ids in one read", async () => {
  const reads: unknown[] = []
  const store = {
    events: {
      async after(after: number, limit: number) {
        reads.push([after, limit])
        return [4, 5, 7].map((id) => ({ id, publicId: id === 7 ? undefined : `evt_${id}` }))
      },
    },
  }
  const events: Explanation["events"] = [7, 4, 6].map((number) => ({ number, event: "pet.created" }))
  await nameEvents(store as unknown as Store, { events })
  assert.deepEqual(
    events.map(({ id }) => id),
    [undefined, "evt_4", undefined],
  )
  await nameEvents(store as unknown as Store, { events: [] })
  assert.deepEqual(reads, [[3, 4]])
})
