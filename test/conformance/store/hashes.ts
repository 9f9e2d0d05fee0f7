import assert from "node:assert/strict"
import { before, test } from "node:test"
import { orderStatuses } from "../../../src/core/domain/orders/contract.ts"
import { type HashedKind, type HashedText, hashedKinds } from "../../../src/core/domain/ports/hashes.ts"
import { DamagedRecord } from "../../../src/core/domain/ports/store.ts"
import { newWebhook } from "../../../src/core/domain/webhooks/rules.ts"
import { addClient, sampleRecord } from "./oauth-samples.ts"
import { addAccount, type OpenStore, putPet, sampleOrder, samplePet, sampleUser, useStore } from "./samples.ts"

/** What these tests change. */
const changed = ["pets", "orders", "users", "accounts", "keys", "clients", "webhooks"] as const

const sampleKey = { scopes: ["read:pets" as const], allowedCidrs: [], createdAt: 1, expiresAt: undefined, userId: 3 }

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
    // Of a text the name of a member, of columns a value.
    const json = kept.json.replace('"id"', '"iD"').replace(/Schlüssel|Żółw|https|free|pro/, "other")
    await replace(kind, id, { hash: "other", json })
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
      for (const hash of ["1", "2", "3"])
        await tx.keys.add({ ...sampleKey, accountId, name: `Schlüssel "${hash}"\n\t\u001f`, hash })
      for (const url of ["https://a.example/", "https://b.example/", "https://c.example/"])
        await tx.webhooks.add(newWebhook({ url, events: ["pet.created", "order.placed"] }, accountId, 0), "sealed", 1)
    })
    for (const clientId of ["1", "2", "3"]) await addClient(store, accountId, clientId, { name: "Żółw 🐢", userId: 3 })
    for (const kind of hashedKinds) assert.deepEqual(await examineAll(kind), { damaged: [], withoutHash: 0 }, kind)
    const before = await Promise.all(changed.map((kind) => read(kind, 1)))
    await store.transaction(async (tx) => {
      await putPet(tx, samplePet(1, { status: "sold", name: "other" }))
      await tx.pets.remove(2)
      await tx.orders.put(sampleOrder(1, 1, "delivered"))
      await tx.orders.remove(2)
      await tx.users.put({ user: sampleUser(1, "Adele"), accountId, passwordHash: "i" })
      await tx.users.erase(2)
      await tx.accounts.change(accountId, { plan: "pro" })
      await tx.keys.rotate(1, 50, 90)
      await tx.keys.used([{ id: 1, at: 60 }])
      await tx.keys.revoke(2, accountId, 70)
      const client = await tx.oauthClients.lock(1, accountId)
      assert.ok(client)
      await tx.oauthClients.put({ ...client.client, name: "other" })
      await tx.oauthClients.setSecret(1, "secret", 0)
      for (const name of ["first", "second"])
        await tx.oauthClients.putOfDocument({ ...client.client, clientId: "https://c.example/", name })
      await tx.oauthClients.remove({ id: 2, clientId: "2" })
      const webhook = await tx.webhooks.lock(1, accountId)
      assert.ok(webhook)
      await tx.webhooks.put({ ...webhook, events: ["user.created", "*", "pet.updated"] })
      await tx.webhooks.putHealth({ ...webhook, failingSince: 5, lane: "slow", averageMs: 7 })
      await tx.webhooks.remove(2, 80)
    })
    await store.transaction((tx) => tx.events.publish(7, 100))
    assert.deepEqual(await store.hashes.examine("pets", 0, 1), { damaged: [], withoutHash: 0, last: 1 })
    for (const kind of hashedKinds) assert.deepEqual(await examineAll(kind), { damaged: [], withoutHash: 0 }, kind)
    for (const [n, kind] of changed.entries()) assert.notEqual((await read(kind, 1)).hash, before[n]?.hash, kind)
    for (const kind of ["pets", "orders", "users", "clients"] as const)
      assert.equal(await store.hashes.read(kind, 2), undefined, kind)
  })

  test("a record that does not match its hash is found and not returned, until its text is back", async () => {
    const statuses = orderStatuses
    await store.transaction(async (tx) => {
      for (const kind of ["AccessToken", "Grant"])
        await tx.oauthRecords.put(
          sampleRecord(kind, "token", { clientId: "3", userId: 3, grantId: "token", expiresAt: 9 }),
        )
    })
    const uses: Record<Exclude<HashedKind, "events" | "audit">, readonly (() => unknown)[]> = {
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
        () => store.keys.byHash("3"),
        () => store.oauthRecords.token("token"),
      ],
      accounts: [
        () => store.accounts.read(accountId),
        () => store.accounts.first(),
        () => store.accounts.list({ limit: 10, before: undefined }),
        () => store.transaction((tx) => tx.accounts.change(accountId, { name: "other" })),
        () => store.keys.byHash("3"),
        () => store.oauthRecords.token("token"),
      ],
      keys: [
        () => store.keys.byHash("3"),
        () => store.keys.read(3),
        () => store.transaction((tx) => tx.keys.lock(3)),
        () => store.keys.list(accountId, { limit: 10, before: undefined }),
      ],
      clients: [
        () => store.oauthClients.byClientId("3"),
        () => store.oauthClients.read(3, accountId),
        () => store.transaction((tx) => tx.oauthClients.lock(3, accountId)),
        () => store.oauthClients.list(accountId, { limit: 10, before: undefined }),
        () => store.oauthRecords.token("token"),
        () => store.consents.list(3, 1, { limit: 10, before: undefined }),
      ],
      webhooks: [
        () => store.webhooks.read(3),
        () => store.transaction((tx) => tx.webhooks.lock(3)),
        () => store.webhooks.list(accountId, { limit: 10, before: undefined }),
      ],
    }
    for (const [kind, noun] of [
      ["pets", "Pet"],
      ["orders", "Order"],
      ["users", "User"],
      ["accounts", "Account"],
      ["keys", "API key"],
      ["clients", "OAuth client"],
      ["webhooks", "Webhook"],
    ] as const) {
      const id = kind === "accounts" ? accountId : 3
      const kept = await damage(kind, id)
      assert.ok(!store.hashes.isIntact(kind, await read(kind, id)))
      assert.deepEqual(await examineAll(kind), { damaged: [id], withoutHash: 0 })
      for (const use of uses[kind])
        await assert.rejects(async () => use(), isDamagedRecord(`${noun} ${id}`), `${kind}: ${use}`)
      await replace(kind, id, kept)
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

  test("what of a person is damaged is ended with them, and is not damaged any more", async () => {
    for (const kind of ["keys", "webhooks"] as const) await damage(kind, 3)
    await store.transaction(async (tx) => {
      assert.ok((await tx.keys.ofPerson(3, accountId)).some(({ id }) => id === 3))
      await tx.keys.revoke(3, accountId, 90)
      await tx.webhooks.removeOfPerson(1, accountId, 90)
    })
    for (const kind of ["keys", "webhooks"] as const) assert.deepEqual((await examineAll(kind)).damaged, [], kind)
  })

  test("filling changes no hash that is there", async () => {
    const kept = await damage("orders", 3)
    await store.transaction((tx) => tx.hashes.fill("orders", 0, 100))
    assert.deepEqual((await examineAll("orders")).damaged, [3])
    await replace("orders", 3, kept)
  })
}
