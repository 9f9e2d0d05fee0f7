import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import pino from "pino"
import { readConfig } from "../../src/config.ts"
import { openDiskBlobs } from "../../src/core/disk/blobs.ts"
import { positionOf } from "../../src/core/domain/events/rules.ts"
import { addPets } from "../../src/core/domain/pets/add.ts"
import type { Repositories } from "../../src/core/domain/ports/store.ts"
import { systemClock } from "../../src/core/kernel/clock.ts"
import { theOnly } from "../../src/core/kernel/flow/the-only.ts"
import { startMaintenance } from "../../src/core/workers/maintenance.ts"
import { openMembership } from "../../src/core/workers/replicas.ts"
import { rotateSigningKeys } from "../../src/parts/oauth/server/signing-keys.ts"
import { migratePostgres, openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { claimInRounds, useDeliveries } from "../conformance/store/delivery-samples.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { manualClock } from "../harness/clock.ts"
import { settingsFor } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"

describe("several processes on one PostgreSQL database", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  /** Two stores on one new database, as in two processes. */
  async function openTwo() {
    const url = await server.createDatabase()
    const opened = await Promise.all([1, 2].map(() => openPostgres(url, { connections: 6 })))
    const [one, other] = opened as [(typeof opened)[0], (typeof opened)[0]]
    return {
      url,
      one,
      other,
      [Symbol.asyncDispose]: async () => void (await Promise.all([one.close(), other.close()])),
    }
  }

  test("processes that start together on an empty database migrate it once, and all of them serve it", async () => {
    const url = await server.createDatabase()
    const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(url, { connections: 2 })))
    await stores[0]?.transaction((tx) => tx.pets.add([samplePet(1)]))
    for (const store of stores) assert.ok(await store.pets.read(1))
    await Promise.all(stores.map((store) => store.close()))
  })

  test("services that start together on an empty database fill it once, and wait longer than a request for the one that does", async () => {
    for (const holdMs of [0, 8_000]) {
      await using opened = new AsyncDisposableStack()
      const url = await server.createDatabase()
      const other = opened.adopt(new Client({ connectionString: url }), (client) => client.end())
      await other.connect()
      if (holdMs > 0) {
        await migratePostgres(url)
        await other.query("BEGIN; SELECT id FROM identity FOR NO KEY UPDATE")
      }
      const options = { env: settingsFor(url), replicas: { isAlone: false } }
      const starting = Array.from({ length: 3 }, async () => opened.use(await startPetstore(options)))
      if (holdMs > 0) {
        assert.equal(await Promise.race([pause(holdMs, "held"), ...starting]), "held")
        await other.query("ROLLBACK")
      }
      for (const service of await Promise.all(starting))
        assert.equal((await service.as("special-key").listPets()).value.length, 10)
      const { rows } = await other.query(
        "SELECT (SELECT count(*) FROM origin) AS origins, count(*) AS orders FROM orders",
      )
      assert.deepEqual(rows, [{ origins: "1", orders: "3" }])
    }
  })

  test("a reader that continues the feed after its last event misses nothing, regardless of which process publishes", async () => {
    await using both = await openTwo()
    const stores = [both.one, both.other]
    let hasEnded = false
    const write = (store: typeof both.one, id: number) =>
      store.transaction((tx) => tx.events.add("pet.created", { id, name: "p", status: "available" }, 1))
    const publish = async (store: typeof both.one) => {
      for (let last = false; !last; ) {
        last = hasEnded
        while ((await store.transaction((tx) => tx.events.publish(1, 7))) > 0);
      }
    }
    const seen: number[] = []
    const read = async (hasFinished: () => boolean) => {
      for (let position = 0, last = false; !last; ) {
        last = hasFinished()
        for (const { id, json } of await both.other.events.feed(position, 0, 1000)) {
          position = positionOf(id)
          seen.push(JSON.parse(json).data.id)
        }
      }
    }
    let isPublished = false
    const publishing = Promise.all(stores.map(publish)).then(() => {
      isPublished = true
    })
    const reading = read(() => isPublished)
    await Promise.all(Array.from({ length: 100 }, (_, n) => write(stores[n % 2] as typeof both.one, n)))
    hasEnded = true
    await Promise.all([publishing, reading])
    assert.equal(seen.length, 100)
    assert.equal(new Set(seen).size, 100)
  })

  test("of two requests with the same Idempotency-Key to two processes one is executed, and both receive its response", async () => {
    await using both = await openService()
    const add = (petstore: Service) =>
      petstore.as("special-key").addPet({ body: { name: "Rex", photoUrls: [] }, idempotencyKey: "same" })
    const responses = await Promise.all([add(both.one), add(both.other)])
    assert.deepEqual(responses[0].value, responses[1].value)
    const replayed = responses.map(({ headers }) => headers.get("idempotency-replayed"))
    assert.deepEqual(replayed.sort(), ["true", null].sort())
  })

  test("two processes that start on an empty database seed it once, and create one signing key", async () => {
    await using both = await openService()
    const { value: pets } = await both.other.as("special-key").findPetsByStatus({ query: { status: ["available"] } })
    assert.deepEqual(
      pets.map(({ id }) => id).sort((a, b) => a - b),
      [1, 2, 4, 7, 8, 9, 10],
    )
    assert.equal((await both.one.store.signingKeys.all()).length, 1)
  })

  test("processes that rotate the signing key concurrently create one", async () => {
    await using both = await openTwo()
    const keys = { sealing: { seal: String, open: String }, clock: manualClock() }
    const made = await Promise.all([both.one, both.other].map((store) => rotateSigningKeys({ ...keys, store })))
    assert.deepEqual(made.sort(), [false, true])
  })

  test("one process runs maintenance, and another takes over when it stops", async () => {
    await using both = await openTwo()
    using directory = temporaryDirectory()
    const done: string[] = []
    const { retention } = readConfig({})
    const parts = {
      sealing: { seal: String, open: String },
      log: pino({ enabled: false }),
      clock: systemClock,
      retention,
    }
    const blobs = await openDiskBlobs(directory.path)
    const start = (store: typeof both.one, holder: string, isDone = () => {}) =>
      startMaintenance({ ...parts, blobs, store }, { holder, servingSince: 0 }, [
        async () => {
          done.push(holder)
          isDone()
        },
      ])
    const stop = await new Promise<() => Promise<void>>((resolve) => {
      const stop = start(both.one, "one", () => resolve(stop))
    })
    await start(both.other, "other")()
    assert.deepEqual(done, ["one"])
    await stop()
    await start(both.other, "other")()
    assert.deepEqual(done, ["one", "other"])
  })

  test("deliveries that a process has claimed stay claimed when another process starts", async () => {
    await using both = await openTwo()
    const { setUp, addWebhook, happen, claim } = useDeliveries(both.one)
    await setUp()
    const webhookId = await addWebhook()
    await happen(1, 10)
    assert.equal((await claim(webhookId, 20)).length, 1)
    const third = await openPostgres(both.url, { connections: 2 })
    assert.equal((await useDeliveries(third).claim(webhookId, 30)).length, 0)
    assert.equal((await useDeliveries(third).claim(webhookId, 20 + 1000)).length, 1)
    await third.close()
  })

  test("processes that claim concurrently never claim the same delivery", async () => {
    await using both = await openTwo()
    const { setUp, addWebhook, happen } = useDeliveries(both.one)
    await setUp()
    const webhookId = await addWebhook()
    for (let n = 0; n < 30; n++) await happen(n, 10)
    const stores = [useDeliveries(both.one), useDeliveries(both.other)]
    const claimed = await claimInRounds(() =>
      Array.from({ length: 20 }, (_, n) => (stores[n % 2] as (typeof stores)[0]).claim(webhookId, 20, 4)),
    )
    assert.equal(claimed.length, 30)
    assert.equal(new Set(claimed.map(({ deliveryId }) => deliveryId)).size, 30)
  })

  /** Runs `first` in a transaction that commits only when `second`, which starts after it, has ended or waits for a lock. */
  async function interleave(
    { one, other, url }: Awaited<ReturnType<typeof openTwo>>,
    first: (tx: Repositories) => Promise<unknown>,
    second: (tx: Repositories) => Promise<unknown>,
  ): Promise<void> {
    await using watcher = await connect(url)
    const isLocked = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    let following: Promise<unknown> = Promise.resolve()
    await one.transaction(async (tx) => {
      await first(tx)
      let hasEnded = false
      following = other.transaction(second).finally(() => {
        hasEnded = true
      })
      while (!hasEnded && (await watcher.query(isLocked)).rowCount === 0);
    })
    await following
  }

  test("a webhook resumed while an event is published receives that event", async () => {
    await using both = await openTwo()
    const { setUp, addWebhook, claim } = useDeliveries(both.one)
    await setUp()
    const webhookId = await addWebhook({ status: "paused" })
    await both.one.transaction((tx) => tx.events.add("pet.updated", { id: 1, name: "p", status: "available" }, 10))
    await interleave(
      both,
      (tx) => tx.events.publish(10, 100),
      async (tx) => {
        const webhook = await tx.webhooks.lock(webhookId)
        assert.ok(webhook)
        await tx.webhooks.put({ ...webhook, status: "active" })
      },
    )
    assert.deepEqual(
      (await both.one.deliveries.due("new", 20, 10)).map((due) => due.webhookId),
      [webhookId],
    )
    assert.equal((await claim(webhookId, 20)).length, 1)
  })

  test("a pet's next event is sent in order, even when published while its predecessor was being settled", async () => {
    await using both = await openTwo()
    const { setUp, addWebhook, happen, claim, outcome } = useDeliveries(both.one)
    await setUp()
    const webhookId = await addWebhook({ ordered: true })
    await happen(1, 10)
    const [delivery] = await claim(webhookId, 20)
    assert.ok(delivery)
    await both.one.transaction((tx) => tx.events.add("pet.updated", { id: 1, name: "p", status: "sold" }, 30))
    await interleave(
      both,
      (tx) =>
        tx.deliveries.settle([
          { claim: delivery, outcome: outcome(40), progress: { state: "delivered", step: 1, dueAt: undefined } },
        ]),
      (tx) => tx.events.publish(40, 100),
    )
    assert.equal((await claim(webhookId, 50)).length, 0)
    await both.other.transaction((tx) => tx.events.publish(50, 100))
    assert.equal((await claim(webhookId, 50)).length, 1)
  })

  test("creates that share transactions in two processes lose nothing, although they take the same ids and introduce the same names", async () => {
    await using both = await openTwo()
    const stores = [both.one, both.other]
    const tags = Array.from({ length: 8 }, (_, n) => ({ name: `tag ${n}` }))
    const rounds = Array.from({ length: 120 }, (_, n) => n)
    const added = await Promise.all(
      rounds.flatMap((n) =>
        stores.map((store) => {
          const [id, turned] = [n % 4 === 0 ? 1_000 + n : undefined, [...tags.slice(n % 8), ...tags.slice(0, n % 8)]]
          const draft = {
            ...(id && { id }),
            name: `pet ${n}`,
            photoUrls: [],
            category: { name: `${n % 7}` },
            tags: turned,
          }
          return store.shared(addPets, { draft, at: 1 })
        }),
      ),
    )
    const pets = added.flatMap((one) => (one ? [one.pet] : []))
    assert.equal(pets.length, 180 + 30)
    assert.equal(new Set(pets.map(({ id }) => id)).size, pets.length)
    const idsOfTags = new Set(pets.flatMap((pet) => pet.tags.map(({ id, name }) => `${id} ${name}`)))
    assert.equal(idsOfTags.size, tags.length)
    for (const { id } of pets) assert.ok(await both.one.pets.read(id))
    assert.equal((await both.other.pets.inventory()).available, pets.length)
    const events = (await both.one.events.after(0, 1_000)).map(({ json }) => JSON.parse(json).data.id)
    assert.deepEqual(
      events.sort((a, b) => a - b),
      pets.map(({ id }) => id).sort((a, b) => a - b),
    )
  })

  test("an id that a client is about to take is not generated for another pet", async () => {
    await using both = await openTwo()
    const next = theOnly(await both.one.transaction((tx) => tx.pets.nextIds(1)))
    let added: unknown
    await interleave(
      both,
      (tx) => tx.pets.add([samplePet(next + 1)]),
      async (tx) => {
        ;[added] = await addPets(tx, [{ draft: { name: "Rex", photoUrls: [] }, at: 0 }])
      },
    )
    assert.ok(added)
    assert.ok(await both.one.pets.read(next + 1))
    assert.ok(await both.one.pets.read(next + 2))
  })

  test("a second process is refused while the first uses the database without Redis, and admitted after it has stopped", async () => {
    const env = settingsFor(await server.createDatabase())
    const replicas = { patienceMs: 0 }
    {
      await using _first = await startPetstore({ env, replicas })
      await assert.rejects(startPetstore({ env, replicas }), /set PETSTORE_REDIS_URL for all of them/)
    }
    await using second = await startPetstore({ env, replicas })
    assert.equal((await second.as("special-key").getPetById({ params: { petId: 1 } })).value.id, 1)
  })

  test("a killed process delays its successor until its lease expires, and no longer", async () => {
    await using both = await openTwo()
    const { one, other } = both
    await one.transaction(async (tx) => {
      await tx.replicas.beat("killed")
      await tx.leases.take("sole replica", "killed", 15_000)
    })
    const since = performance.now()
    const log = pino({ enabled: false })
    await assert.rejects(openMembership(other, log, { patienceMs: 1_000 }), /set PETSTORE_REDIS_URL/)
    const membership = await openMembership(other, log)
    const waitedMs = performance.now() - since
    assert.ok(waitedMs > 14_000 && waitedMs < 25_000, `${waitedMs} ms`)
    assert.equal(membership.live(), 1)
    await membership.close()
    assert.equal(await one.transaction((tx) => tx.leases.take("sole replica", "next", 15_000)), true)
  })

  type Service = Awaited<ReturnType<typeof startPetstore>>

  /** Two services on one new database. */
  async function openService() {
    const options = { env: settingsFor(await server.createDatabase()), replicas: { isAlone: false } }
    const [one, other] = (await Promise.all([startPetstore(options), startPetstore(options)])) as [Service, Service]
    return {
      one,
      other,
      async [Symbol.asyncDispose]() {
        await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()])
      },
    }
  }
})

async function connect(connectionString: string) {
  const client = new Client({ connectionString })
  await client.connect()
  return { query: (text: string) => client.query(text), [Symbol.asyncDispose]: () => client.end() }
}
