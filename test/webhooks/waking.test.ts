import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, mock, test } from "node:test"
import pino from "pino"
import type { Database } from "../../src/core/domain/ports/store.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { openDisk } from "../../src/core/sqlite/disk.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { createDeliveryWorker } from "../../src/core/workers/delivery/worker.ts"
import { manualClock } from "../harness/clock.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const directory = temporaryDirectory()
let database: Database
let webhookId: number
before(async () => {
  database = openSqlite(join(directory.path, "petstore.db"))
  webhookId = await database.transaction(async (tx) => {
    const { id: accountId } = await tx.accounts.add({ name: "a", plan: "free" })
    const draft = { url: "https://a.example/", events: ["pet.created" as const] }
    return (await tx.webhooks.add(newWebhook(draft, accountId, 0), "sealed")).id
  })
})
after(async () => {
  await database.close()
  directory[Symbol.dispose]()
})

/** A started worker that is idle and that no poll wakes; `looks` counts its queries for due deliveries in the first lane. */
async function startWorker(store = database) {
  mock.timers.enable({ apis: ["setInterval"] })
  let looks = 0
  const sent: string[] = []
  const clock = manualClock()
  const counted = {
    ...store,
    deliveries: {
      ...store.deliveries,
      due: (...[lane, ...rest]: Parameters<typeof store.deliveries.due>) => {
        if (lane === "quick") looks++
        return store.deliveries.due(lane, ...rest)
      },
    },
  }
  const sealing = { seal: (text: string) => text, open: (text: string) => text }
  const worker = createDeliveryWorker(
    { store: counted, clock, realClock: clock, log: pino({ enabled: false }), sealing },
    {
      async post({ headers }) {
        sent.push(headers["webhook-id"] ?? "")
        const at = clock.now()
        return { at, durationMs: 1, status: 200, error: undefined, response: "", retryAfterMs: undefined }
      },
      close: async () => {},
    },
  )
  worker.start()
  await worker.idle()
  async function stop(): Promise<void> {
    await worker.drain(AbortSignal.abort())
    mock.timers.reset()
  }
  return { worker, looks: () => looks, sent, clock, stop, [Symbol.asyncDispose]: stop }
}

const addEvent = (at: number, store = database) =>
  store.transaction((tx) => tx.events.add("pet.created", { id: 1, name: "p", status: "available" }, at))

test("a commit that concerns no delivery does not wake the worker", async () => {
  await using running = await startWorker()
  const before = running.looks()
  for (let n = 0; n < 20; n++) {
    await database.transaction((tx) => tx.accounts.add({ name: "b", plan: "free" }))
    await database.transaction((tx) => tx.webhooks.lock(webhookId))
    await database.transaction((tx) => tx.events.after(0, 10))
  }
  await running.worker.idle()
  assert.equal(running.looks(), before)
})

test("a worker is idle only once it knows that a commit concerns no webhook, however long storage takes", async () => {
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return database.webhooks.anyListens()
  }
  await using running = await startWorker({ ...database, webhooks: { ...database.webhooks, anyListens: slowly } })
  await addEvent(running.clock.now())
  await running.worker.idle()
  assert.equal(running.sent.length, 1)
})

test("an event is sent without waiting for the next poll, also one committed while the worker queries deliveries", async () => {
  await using running = await startWorker()
  const count = 50
  for (let n = 0; n < count; n++) {
    await addEvent(running.clock.now())
    if (n % 7 === 0) await running.worker.idle()
  }
  await running.worker.idle()
  assert.equal(new Set(running.sent).size, count)
})

test("while no webhook listens, the next poll publishes events; they are sent immediately again when one does", async () => {
  const quiet = openSqlite(join(directory.path, "quiet.db"))
  using file = new DatabaseSync(join(directory.path, "quiet.db"), { readOnly: true })
  const running = await startWorker(quiet)
  try {
    const published = () => file.prepare("SELECT last FROM counters WHERE name = 'events'").get()?.last
    await addEvent(running.clock.now(), quiet)
    await running.worker.idle()
    assert.equal(published(), 0)
    mock.timers.tick(1000)
    await running.worker.idle()
    assert.equal(published(), 1)

    await quiet.transaction(async (tx) => {
      const { id } = await tx.accounts.add({ name: "a", plan: "free" })
      await tx.webhooks.add(newWebhook({ url: "https://a.example/", events: ["pet.created"] }, id, 0), "sealed")
    })
    await addEvent(running.clock.now(), quiet)
    await running.worker.idle()
    assert.deepEqual({ published: published(), sent: running.sent.length }, { published: 2, sent: 1 })
  } finally {
    await running.stop()
    await quiet.close()
  }
})

test("a poll without work does not make the database flush the disk", async () => {
  let flushes = 0
  const store = openSqlite(join(directory.path, "idle.db"), {
    openDisk(db) {
      const disk = openDisk(db)
      return { ...disk, syncLog: () => disk.syncLog().finally(() => flushes++) }
    },
    endProcess: assert.fail,
  })
  const running = await startWorker(store)
  try {
    const polls = running.looks()
    for (let n = 0; n < 10; n++) {
      mock.timers.tick(1000)
      await running.worker.idle()
    }
    assert.deepEqual({ polls: running.looks() - polls, flushes }, { polls: 10, flushes: 0 })
    await addEvent(running.clock.now(), store)
    assert.equal(flushes, 1)
  } finally {
    await running.stop()
    await store.close()
  }
})

test("events committed while no worker ran are sent when the next one starts", async () => {
  await addEvent(0)
  await using running = await startWorker()
  assert.equal(running.sent.length, 1)
})

test("a stopped worker is not woken", async () => {
  const running = await startWorker()
  await running.stop()
  const before = running.looks()
  await addEvent(0)
  await running.worker.idle()
  assert.equal(running.looks(), before)
})
