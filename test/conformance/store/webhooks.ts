import assert from "node:assert/strict"
import { test } from "node:test"
import { newWebhook } from "../../../src/core/domain/webhooks/rules.ts"
import { addAccount, addUser, type OpenStore, readPages, useStore } from "./samples.ts"

export function testWebhooks(open: OpenStore): void {
  const store = useStore(open)
  const draft = (accountId: number) =>
    newWebhook({ url: "https://a.example/", events: ["pet.created"], description: "d" }, accountId, 1000)
  const add = (accountId: number, secret = "sealed", userId?: number) =>
    store.transaction((tx) => tx.webhooks.add(draft(accountId), secret, userId))

  test("whether any webhook listens for events follows the existing webhooks", async () => {
    assert.equal(await store.webhooks.anyListens(), false)
    const { id } = await add(await addAccount(store))
    assert.equal(await store.webhooks.anyListens(), true)
    await store.transaction((tx) => tx.webhooks.remove(id, 1))
    assert.equal(await store.webhooks.anyListens(), false)
  })

  test("a webhook reads back as created and as replaced, only to its own account", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const made = await add(accountId)
    assert.deepEqual(made, { id: made.id, ...draft(accountId) })
    for (const read of [store.webhooks.read(made.id), store.webhooks.read(made.id, accountId)])
      assert.deepEqual(await read, made)
    assert.equal(await store.webhooks.read(made.id, other), undefined)

    const changed = {
      ...made,
      url: "https://b.example/",
      description: undefined,
      events: ["order.placed", "pet.deleted"],
      ordered: true,
      status: "disabled" as const,
      disabledReason: "failing" as const,
      failingSince: 5,
      lane: "slow" as const,
      averageMs: 7,
    }
    await store.transaction((tx) => tx.webhooks.put(changed))
    assert.deepEqual(await store.webhooks.read(made.id), changed)
  })

  test("recording a receiver's health leaves the webhook's settings unchanged", async () => {
    const made = await add(await addAccount(store))
    const health = { failingSince: 9, lane: "quick" as const, averageMs: 12 }
    await store.transaction((tx) => tx.webhooks.putHealth({ ...made, ...health, url: "https://c.example/" }))
    assert.deepEqual(await store.webhooks.read(made.id), { ...made, ...health })
  })

  test("concurrent changes of one locked webhook are never lost", async () => {
    const { id, accountId } = await add(await addAccount(store))
    const increment = () =>
      store.transaction(async (tx) => {
        const webhook = await tx.webhooks.lock(id, accountId)
        assert.ok(webhook)
        await tx.webhooks.put({ ...webhook, averageMs: (webhook.averageMs ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 30 }, increment))
    assert.equal((await store.webhooks.read(id))?.averageMs, 30)
    assert.equal(await store.transaction((tx) => tx.webhooks.lock(id, accountId + 1)), undefined)
  })

  test("webhooks are counted and listed by account, newest first, without removed ones", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const ids: number[] = []
    for (let n = 0; n < 4; n++) ids.push((await add(accountId)).id)
    await store.transaction((tx) => tx.webhooks.remove(ids[1] as number, 5))
    assert.equal(await store.webhooks.read(ids[1] as number), undefined)
    const listed = await readPages((page) => store.webhooks.list(accountId, page))
    assert.deepEqual(
      listed.map(({ id }) => id),
      [ids[3], ids[2], ids[0]],
    )
    assert.deepEqual(
      { accountId: await store.webhooks.count(accountId), other: await store.webhooks.count(other) },
      { accountId: 3, other: 0 },
    )
  })

  test("a person's webhooks in any account are removed, with those of their own account", async () => {
    const company = await addAccount(store)
    const own = await addUser(store, 10, "ada")
    const [made, mine, unowned] = [await add(company, "s", 10), await add(own), await add(company)]
    const removed = await store.transaction((tx) => tx.webhooks.removeOfPerson(10, own, 5))
    assert.deepEqual(removed.toSorted(), [made.id, mine.id].toSorted())
    assert.equal(await store.webhooks.read(made.id), undefined)
    assert.equal(await store.webhooks.read(mine.id), undefined)
    assert.ok(await store.webhooks.read(unowned.id))
  })

  test("a new secret signs first, and the one before it until it is retired; both are removed with the webhook", async () => {
    const { id } = await add(await addAccount(store), "first")
    await store.transaction((tx) => tx.webhooks.addSecret(id, "second", 100))
    assert.deepEqual(await store.webhooks.secrets(id, 99), ["second", "first"])
    assert.deepEqual(await store.webhooks.secrets(id, 100), ["second"])
    await store.transaction((tx) => tx.webhooks.addSecret(id, "third", 200))
    assert.deepEqual(await store.webhooks.secrets(id, 150), ["third", "second"])
    assert.ok(await store.webhooks.anySecret())

    const prune = (at: number) => store.transaction((tx) => tx.webhooks.pruneSecrets(at, 1))
    assert.deepEqual([await prune(100), await prune(201), await prune(201), await prune(201)], [0, 1, 1, 0])
    assert.deepEqual(await store.webhooks.secrets(id, 0), ["third"])
    await store.transaction((tx) => tx.webhooks.remove(id, 5))
    assert.deepEqual(await store.webhooks.secrets(id, 0), [])
  })

  test("every sealed secret is listed in batches, and can be replaced by its resealed text", async () => {
    const { id } = await add(await addAccount(store), "one")
    await store.transaction((tx) => tx.webhooks.addSecret(id, "two", 100))
    const found: string[] = []
    let last = 0
    for (;;) {
      const [secret] = await store.webhooks.secretsAfter(last, 1)
      if (secret === undefined) break
      found.push(secret.sealed)
      last = secret.id
      if (secret.sealed === "one") await store.transaction((tx) => tx.webhooks.reseal(secret.id, "resealed"))
    }
    assert.deepEqual(found.slice(-2), ["one", "two"])
    assert.deepEqual(await store.webhooks.secrets(id, 0), ["two", "resealed"])
  })

  test("a removed webhook is deleted after its retention, but not while a delivery refers to it", async () => {
    const prune = (before: number) => store.transaction((tx) => tx.webhooks.prune(before, 10))
    while ((await prune(Number.MAX_SAFE_INTEGER)) > 0);
    const accountId = await addAccount(store)
    const [empty, busy] = [await add(accountId), await add(accountId)]
    await store.transaction(async (tx) => {
      const event = await tx.events.add("webhook.test", { webhookId: busy.id }, 10, accountId)
      await tx.deliveries.addTest(busy.id, event, 10)
      for (const { id } of [empty, busy]) await tx.webhooks.remove(id, 300)
    })
    assert.deepEqual([await prune(300), await prune(301), await prune(301)], [0, 1, 0])
    await store.transaction((tx) => tx.deliveries.prune(11, 10))
    assert.equal(await prune(301), 1)
  })

  test("without webhooks there is no sealed secret", async () => {
    const empty = await open()
    assert.equal(await empty.webhooks.anySecret(), undefined)
    await empty.close()
  })
}
