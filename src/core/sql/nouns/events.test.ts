import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import type { Change } from "../../domain/ports/store.ts"
import { newWebhook } from "../../domain/webhooks/rules.ts"
import { sqliteConnection } from "../../sqlite/connection.ts"
import { repositories } from "../store.ts"

/** An empty store with an account that notes its changes. */
async function openEvents() {
  const { db, ...database } = migratedDatabase()
  const changes: Change[] = []
  const tx = repositories(sqliteConnection(db, { noteChange: (change) => void changes.push(change) }))
  const account = await tx.accounts.add({ name: "a", plan: "free" })
  const add = (...times: number[]) =>
    tx.events.addAll(
      times.map((at) => ({
        kind: "pet.updated" as const,
        data: { id: at, name: "p", status: "sold" as const },
        at,
        accountId: undefined,
      })),
    )
  const take = () => changes.splice(0)
  return { tx, account, add, take, [Symbol.dispose]: database[Symbol.dispose] }
}

test("a publication makes deliveries due only where a webhook is active", async () => {
  using opened = await openEvents()
  const { tx, account, add, take } = opened
  const webhook = await tx.webhooks.add(newWebhook({ url: "https://a.example/", events: ["*"] }, account.id, 0), "s")
  await add(1)
  take()
  assert.deepEqual([await tx.events.publish(1, 10), take()], [1, ["delivery-due"]])
  await tx.webhooks.put({ ...webhook, status: "paused" })
  await add(2)
  take()
  assert.deepEqual([await tx.events.publish(2, 10), take()], [1, []])
})

test("the feed knows the last event that was removed, also if an earlier one is still there", async () => {
  using opened = await openEvents()
  const { tx, add } = opened
  await add(9, 1, 2, 9)
  await tx.events.publish(9, 10)
  assert.equal(await tx.events.prune(9, 10), 2)
  assert.equal((await tx.events.at(1)).removed, 3)
})
