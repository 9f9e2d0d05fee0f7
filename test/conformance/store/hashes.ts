import assert from "node:assert/strict"
import { before, test } from "node:test"
import { orderStatuses } from "../../../src/core/domain/orders/contract.ts"
import { type HashedKind, type HashedText, hashedKinds } from "../../../src/core/domain/ports/hashes.ts"
import { DamagedRecord } from "../../../src/core/domain/ports/store.ts"
import { addAccount, type OpenStore, putPet, sampleOrder, samplePet, sampleUser, useStore } from "./samples.ts"

export function testHashes(open: OpenStore): void {
  const store = useStore(open)
  let accountId: number
  before(async () => {
    accountId = await addAccount(store)
  })

  /** All records of a kind, in steps. */
  async function examineAll(kind: HashedKind) {
    const found = { damaged: [] as number[], withoutHash: 0 }
    for (let position: number | undefined = 0; position !== undefined; ) {
      const { damaged, withoutHash, last } = await store.hashes.examine(kind, position, 2)
      found.damaged.push(...damaged)
      found.withoutHash += withoutHash
      position = last
    }
    return found
  }
  const read = async (kind: HashedKind, id: number) => (await store.hashes.read(kind, id)) as HashedText
  const replace = (kind: HashedKind, id: number, text: HashedText) =>
    store.transaction((tx) => tx.hashes.replace(kind, id, text))
  const damage = async (kind: HashedKind, id: number) => {
    const kept = await read(kind, id)
    await replace(kind, id, { hash: "other", json: kept.json.replace('"id"', '"iD"') })
    return kept
  }
  const isDamagedRecord = (message: string) => (error: unknown) =>
    error instanceof DamagedRecord && error.message === `${message} does not match its hash`

  test("every addition, change and removal leaves each record with the hash of its text", async () => {
    await store.transaction(async (tx) => {
      await tx.pets.add([samplePet(1), samplePet(2, { name: "Żółw 🐢 \\u0000" }), samplePet(3)], 5)
      for (const [id, name] of [
        [1, "ada"],
        [2, "eve"],
        [3, "zoe"],
      ] as const)
        await tx.users.add({ user: sampleUser(id, name), accountId, passwordHash: "h" })
      for (const id of [1, 2, 3]) await tx.orders.add(sampleOrder(id, id, "placed"), accountId, id, 5)
      await tx.events.addAll([1, 2].map((id) => ({ kind: "pet.deleted", data: samplePet(id), at: 5 })))
      await tx.events.add("order.placed", sampleOrder(1, 1, "placed"), 6, accountId)
      await tx.audit.append([{ principal: "operator", action: "key.created", thing: "key:1" }], 5)
    })
    const before = await Promise.all((["pets", "orders", "users"] as const).map((kind) => read(kind, 1)))
    await store.transaction(async (tx) => {
      await putPet(tx, samplePet(1, { status: "sold", name: "other" }))
      await tx.pets.remove(2)
      await tx.orders.put(sampleOrder(1, 1, "delivered"))
      await tx.orders.remove(2)
      await tx.users.put({ user: sampleUser(1, "Adele"), accountId, passwordHash: "i" })
      await tx.users.erase(2)
    })
    await store.transaction((tx) => tx.events.publish(7, 100))
    assert.deepEqual(await store.hashes.examine("pets", 0, 1), { damaged: [], withoutHash: 0, last: 1 })
    for (const kind of hashedKinds) assert.deepEqual(await examineAll(kind), { damaged: [], withoutHash: 0 }, kind)
    for (const [n, kind] of (["pets", "orders", "users"] as const).entries()) {
      assert.notEqual((await read(kind, 1)).hash, before[n]?.hash, kind)
      assert.equal(await store.hashes.read(kind, 2), undefined, kind)
    }
  })

  test("a record that does not match its hash is found and not returned, until its text is back", async () => {
    const statuses = orderStatuses
    const uses: Record<"pets" | "orders" | "users", readonly (() => unknown)[]> = {
      pets: [
        () => store.pets.read(3),
        () => store.transaction((tx) => tx.pets.lock(3)),
        () => store.pets.byStatus(["available"], { limit: 10, before: undefined }),
        () => store.pets.list({ statuses: ["available"], sort: "name" }, { limit: 10, cursor: undefined }),
      ],
      orders: [
        () => store.orders.read(3),
        () => store.transaction((tx) => tx.orders.lock(3)),
        () => store.transaction((tx) => tx.orders.lockWaiting(3, 10)),
        () =>
          store.orders.list(
            { accountId: undefined, petId: undefined, statuses },
            { limit: 10, sort: "-id", after: undefined },
          ),
      ],
      users: [
        () => store.users.byName("zoe"),
        () => store.users.byId(3),
        () => store.transaction((tx) => tx.users.lock("zoe")),
        () => store.users.list({ limit: 10, sort: "-id", after: undefined }),
      ],
    }
    for (const [kind, noun] of [
      ["pets", "Pet"],
      ["orders", "Order"],
      ["users", "User"],
    ] as const) {
      const kept = await damage(kind, 3)
      assert.ok(!store.hashes.isIntact(kind, await read(kind, 3)))
      assert.deepEqual(await examineAll(kind), { damaged: [3], withoutHash: 0 })
      for (const use of uses[kind])
        await assert.rejects(async () => use(), isDamagedRecord(`${noun} 3`), `${kind}: ${use}`)
      await replace(kind, 3, kept)
      assert.ok(store.hashes.isIntact(kind, kept))
      for (const use of uses[kind]) assert.ok(await use(), `${kind}: ${use}`)
      assert.deepEqual(await examineAll(kind), { damaged: [], withoutHash: 0 })
    }
  })

  test("a damaged pet is locked for what replaces or deletes it, with the id and status that are stored beside its text", async () => {
    await damage("pets", 3)
    await store.transaction(async (tx) => {
      const { pet } = (await tx.pets.lock(3, "or-damaged")) ?? {}
      assert.deepEqual({ id: pet?.id, status: pet?.status }, { id: 3, status: "available" })
      await tx.pets.remove(3)
    })
    assert.equal(await store.pets.read(3), undefined)
  })

  test("filling changes no hash that is there", async () => {
    const kept = await damage("orders", 3)
    await store.transaction((tx) => tx.hashes.fill("orders", 0, 100))
    assert.deepEqual((await examineAll("orders")).damaged, [3])
    await replace("orders", 3, kept)
  })
}
