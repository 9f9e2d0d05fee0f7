import assert from "node:assert/strict"
import { test } from "node:test"
import type { StoredResponse } from "../../../src/core/domain/ports/idempotency.ts"
import { addAccount, type OpenStore, useStore } from "./samples.ts"

export function testIdempotency(open: OpenStore): void {
  const store = useStore(open)
  /** False when a response has been stored under the key since `notBefore`. */
  const keep = (id: number, key: string, response: StoredResponse, at: number, notBefore = at) =>
    store.transaction(async (tx) => {
      const isFree = await tx.idempotency.claim(id, key, notBefore)
      if (isFree) await tx.idempotency.keep(id, key, response, at)
      return isFree
    })

  test("a stored response is found until it expires, replaced by a newer one, and pruned", async () => {
    const id = await addAccount(store)
    const response = { fingerprint: "f", status: 200, etag: '"e"', json: "{}" }
    await keep(id, "k", response, 1000)
    assert.deepEqual({ ...(await store.idempotency.read(id, "k", 1000)) }, response)
    assert.equal(await store.idempotency.read(id, "k", 1001), undefined)
    assert.equal(await store.idempotency.read(id + 1, "k", 0), undefined)

    await keep(id, "k", { ...response, etag: undefined }, 2000)
    assert.equal((await store.idempotency.read(id, "k", 1001))?.etag, undefined)
    assert.equal(await store.transaction((tx) => tx.idempotency.prune(2001, 10)), 1)
    assert.equal(await store.idempotency.read(id, "k", 0), undefined)
  })

  test("of concurrent claims of a key one succeeds, and the others find its response", async () => {
    const id = await addAccount(store)
    const response = { fingerprint: "f", status: 200, etag: undefined, json: "{}" }
    let performed = 0
    const found = await Promise.all(
      Array.from({ length: 5 }, () =>
        store.transaction(async (tx) => {
          if (!(await tx.idempotency.claim(id, "race", 500))) return tx.idempotency.read(id, "race", 500)
          performed++
          await tx.idempotency.keep(id, "race", response, 1000)
          return response
        }),
      ),
    )
    assert.equal(performed, 1)
    assert.deepEqual(
      found.map((each) => each?.fingerprint),
      Array(5).fill("f"),
    )
  })

  test("a rolled back claim frees the key, and an expired response does not block it", async () => {
    const id = await addAccount(store)
    const response = { fingerprint: "f", status: 200, etag: undefined, json: "{}" }
    const claim = (notBefore: number) => keep(id, "k", response, 1000, notBefore)
    const undone = store.transaction(async (tx) => {
      await tx.idempotency.claim(id, "k", 0)
      throw new Error("no")
    })
    await assert.rejects(undone)
    assert.deepEqual([await claim(1000), await claim(1000), await claim(1001)], [true, false, true])
  })

  test("pruning deletes up to the given number, and nothing that is recent enough", async () => {
    const id = await addAccount(store)
    const response = { fingerprint: "f", status: 200, etag: undefined, json: "{}" }
    for (const n of [1, 2, 3, 4]) await keep(id, `k${n}`, response, n)
    const prune = () => store.transaction((tx) => tx.idempotency.prune(4, 2))
    assert.deepEqual([await prune(), await prune(), await prune()], [2, 1, 0])
    assert.ok(await store.idempotency.read(id, "k4", 0))
  })
}
