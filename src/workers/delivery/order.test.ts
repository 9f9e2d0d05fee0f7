import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/petstore.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import { newWebhook } from "../../domain/webhooks/rules.ts"
import { openSqlite } from "../../storage/sqlite/open.ts"

const directory = temporaryDirectory()
let store: ReturnType<typeof openSqlite>
let accountId: number
before(async () => {
  store = openSqlite(join(directory.path, "order.db"))
  accountId = (await store.transaction((tx) => tx.accounts.add({ name: "a", plan: "free" }))).id
})
after(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

const webhook = async (ordered: boolean) => {
  const draft = { url: "https://a.example/", events: ["pet.updated" as const], ordered }
  return (await store.transaction((tx) => tx.webhooks.add(newWebhook(draft, accountId, 0), "sealed"))).id
}
const happen = (petId: number, at: number) =>
  store.transaction(async (tx) => {
    await tx.events.add("pet.updated", { id: petId, name: `${petId}`, status: "available" }, at)
    while ((await tx.events.publish(at, 100)) > 0);
  })
const claim = (id: number, at: number, limit = 100) =>
  store.transaction((tx) => tx.deliveries.claim(id, limit, at, at + 1000))
const petsOf = (claims: { json: string }[]) => claims.map(({ json }) => JSON.parse(json).data.id)
const isDue = async (id: number, at: number) =>
  (await store.deliveries.due("new", at, 100)).some(({ webhookId }) => webhookId === id)
const outcome = (at: number): Outcome => ({
  at,
  durationMs: 1,
  status: 200,
  error: undefined,
  answer: "",
  retryAfterMs: undefined,
})
const delivered = (claimed: Awaited<ReturnType<typeof claim>>[number], at: number) =>
  store.transaction((tx) =>
    tx.deliveries.settle(claimed, outcome(at), { state: "delivered", step: 1, dueAt: undefined }),
  )

test("a delivery of an ordered webhook waits for those before it of the same pet, also after one is sent again", async () => {
  const id = await webhook(true)
  for (const pet of [1, 1, 2, 1]) await happen(pet, 10)
  const first = await claim(id, 10)
  assert.deepEqual(petsOf(first), [1, 2])
  assert.deepEqual(await claim(id, 20), [], "the others wait")
  const [ofOne] = first
  assert.ok(ofOne)
  await delivered(ofOne, 20)
  const second = await claim(id, 20)
  assert.deepEqual(petsOf(second), [1])
  assert.ok(second[0])
  await delivered(second[0], 30)

  await store.transaction((tx) => tx.deliveries.retry(ofOne.deliveryId, 40))
  assert.deepEqual(
    (await claim(id, 40)).map(({ deliveryId }) => deliveryId),
    [ofOne.deliveryId],
    "the third waits for the first again",
  )
})

test("what waits goes ahead when what it waited for is forgotten", async () => {
  const id = await webhook(true)
  await happen(1, 100)
  await happen(1, 200)
  while ((await store.transaction((tx) => tx.deliveries.prune(150, 100))) > 0);
  assert.ok(await isDue(id, 200))
  assert.equal((await claim(id, 200)).length, 1)
})

test("a webhook is due exactly while something is, whatever becomes of it", async () => {
  const id = await webhook(false)
  assert.ok(!(await isDue(id, 300)))
  await happen(1, 300)
  assert.ok(await isDue(id, 300))

  const put = async (status: "active" | "paused") =>
    store.transaction(async (tx) => {
      const found = await tx.webhooks.lock(id)
      assert.ok(found)
      await tx.webhooks.put({ ...found, status })
    })
  await put("paused")
  assert.ok(!(await isDue(id, 300)))
  await happen(2, 301)
  assert.ok(!(await isDue(id, 301)), "events do not wake what is paused")
  await put("active")
  assert.ok(await isDue(id, 301))

  const claims = await claim(id, 301)
  assert.equal(claims.length, 2)
  assert.ok(!(await isDue(id, 1300)))
  assert.ok(await isDue(id, 1301), "when the lease ends")
  const [one, other] = claims
  assert.ok(one && other)
  await store.transaction((tx) => tx.deliveries.release(one, 302))
  assert.ok(await isDue(id, 302))
  for (const claimed of await claim(id, 302)) await delivered(claimed, 303)
  await delivered(other, 303)
  assert.ok(!(await isDue(id, 10_000)))

  await store.transaction(async (tx) =>
    tx.deliveries.addTest(id, await tx.events.add("webhook.test", { webhookId: id }, 400, accountId), 400),
  )
  assert.ok(await isDue(id, 400))
  await store.transaction((tx) => tx.webhooks.remove(id, 401))
  assert.ok(!(await isDue(id, 10_000)), "nothing is due at what is deleted")
})

test("a webhook that was just served goes behind those that wait", async () => {
  const [backlog, other] = [await webhook(false), await webhook(false)]
  for (let n = 0; n < 3; n++) await happen(1, 500)
  for (const id of [backlog, other]) for (const claimed of await claim(id, 500)) await delivered(claimed, 501)
  for (let n = 0; n < 3; n++) await happen(1, 600)
  await claim(backlog, 700, 1)
  const order = (await store.deliveries.due("new", 700, 100)).map(({ webhookId }) => webhookId)
  assert.ok(order.indexOf(other) < order.indexOf(backlog))
})

test("everything that was given up is sent again, however much it is, and nothing else", async () => {
  const id = await webhook(false)
  for (let n = 0; n < 12; n++) await happen(1, 800 + n)
  const claims = await claim(id, 900)
  for (const [n, claimed] of claims.entries()) {
    const state = n % 3 === 0 ? ("delivered" as const) : ("failed" as const)
    await store.transaction((tx) => tx.deliveries.settle(claimed, outcome(900), { state, step: 10, dueAt: undefined }))
  }
  const retry = () => store.transaction((tx) => tx.deliveries.retryFailed(id, 801, 1000, 5))
  assert.deepEqual([await retry(), await retry(), await retry()], [5, 3, 0])
  assert.equal((await claim(id, 1000)).length, 8)
})
