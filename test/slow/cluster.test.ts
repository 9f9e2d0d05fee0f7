// Runs beside one other file at most.
import { test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { effort } from "../harness/effort.ts"
import { startReceiver } from "../harness/receiver.ts"
import { startWriters } from "../harness/writers.ts"

const rounds = effort(2, 1)
const writers = 8
const admin = "special-key"

test("no acknowledged pet and no event is lost while replicas, PostgreSQL and Redis are killed in turn under load", {
  skip: withoutCluster,
  timeout: 5 * 60_000,
}, async (t) => {
  await using receiver = await startReceiver()
  await using cluster = await startCluster()
  await cluster.as(admin).createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  await using writing = startWriters(cluster, writers)

  for (let round = 0; round < rounds; round++) {
    for (const replica of cluster.replicas) {
      await after(700)
      await replica.kill("SIGKILL")
      await after(300)
      await replica.restart()
    }
    await cluster.postgres.stop(round % 2 === 0 ? "immediate" : "fast")
    await after(500)
    await cluster.postgres.start()
    await after(1500)
    await cluster.redis.kill("SIGKILL")
    await after(1500)
    await cluster.redis.restart()
    await after(500)
  }
  await writing.stop()

  await writing.verify()
  // Another replica sends the deliveries of a killed one when their claims expire, a minute after they were made.
  const claimsExpireMs = 75_000
  const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id as number))
  await receiver.until(() => new Set(writing.pets.keys()).difference(arrived()).size === 0, claimsExpireMs)
  t.diagnostic(`${writing}`)
})
