// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { samplesIn, sumOf } from "../harness/metrics.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { until } from "../harness/until.ts"

/** The limit of a day, which passes in no run. */
const free = { day: 60, replicas: 3 }
const options = { replicas: free.replicas, env: { PETSTORE_PLAN_FREE: `60000/minute, ${free.day}/day` } }

type Cluster = Awaited<ReturnType<typeof startCluster>>
type Replica = Cluster["replicas"][number]

/** A key of a new account with the plan `free`. */
async function createFreeKey(cluster: Cluster): Promise<string> {
  const admin = cluster.as("special-key")
  const { value: account } = await admin.createAccount({ body: { name: "a customer", plan: "free" } })
  const { value: key } = await admin.createKey({ body: { accountId: account.id, name: "k", scopes: ["read:pets"] } })
  return key.secret
}

/** Sends so many requests at once, to the replicas in turn, and returns how many were admitted. */
async function countAdmitted(replicas: readonly Replica[], key: string, count: number): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { url } = replicas[n % replicas.length] as Replica
      const response = await fetch(`${url}/api/v3/pet/1`, { headers: { api_key: key } })
      await response.text()
      return response.status
    }),
  )
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 429),
    [],
  )
  return statuses.filter((status) => status === 200).length
}

/** Resolves when the replicas have announced, from now on, that they admitted so many requests. */
async function openAnnouncements({ redis }: Cluster) {
  let announced = 0
  const subscriber = redis.client.duplicate()
  subscriber.on("pmessage", (_pattern, _channel, message: string) => {
    const { admitted = [] } = message.startsWith("{") ? (JSON.parse(message) as { admitted?: number[][] }) : {}
    for (const [, count = 0] of admitted) announced += count
  })
  await subscriber.psubscribe("petstore:*")
  return {
    async until(count: number): Promise<void> {
      await until(() => announced >= count, `${announced} of ${count} requests are announced`)
      // The other replicas receive it as this test does.
      await sleep(500)
    },
    [Symbol.dispose]: () => subscriber.disconnect(),
  }
}

async function isDegraded({ url }: Replica): Promise<boolean> {
  const { degraded = [] } = (await (await fetch(`${url}/readyz`)).json()) as { degraded?: string[] }
  return degraded.includes("redis")
}

async function untilRedisIs(state: "away" | "back", replicas: readonly Replica[]): Promise<void> {
  const isAway = state === "away"
  for (const replica of replicas)
    await until(
      async () => (await isDegraded(replica)) === isAway,
      `${replica.url} does not see that Redis is ${state}`,
    )
}

const countKnown = async ({ url }: Replica): Promise<number> =>
  sumOf(samplesIn(await (await fetch(`${url}/metrics`)).text()), "petstore_replicas")

/** A replica divides a limit by the number of replicas that it knows, which it learns with its heartbeat. */
async function untilTheyKnowEachOther(replicas: readonly Replica[]): Promise<void> {
  for (const replica of replicas)
    await until(
      async () => (await countKnown(replica)) === replicas.length,
      `${replica.url} does not know all replicas`,
    )
}

describe("when Redis loses its data and a replica is killed within a minute", { skip: withoutCluster }, () => {
  test("the others have told Redis what it had admitted, once", async (t) => {
    await using cluster = await startCluster(options)
    using announcements = await openAnnouncements(cluster)
    const [killed, ...others] = cluster.replicas as [Replica, Replica, Replica]
    const key = await createFreeKey(cluster)

    const before = (await countAdmitted([killed], key, 25)) + (await countAdmitted(others, key, 10))
    assert.equal(before, 35)
    await announcements.until(before)
    await killed.kill("SIGKILL")
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", others)
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    assert.equal(before + (await countAdmitted(others, key, 100)), free.day)

    // Again: what it admitted is also known from before the first loss.
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", others)
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    assert.equal(await countAdmitted(others, key, 30), 0)
    reportEffort(t, { kills: 3, calls: 165 })
  })

  test("what it admitted while Redis was away is lost: at most its share", async (t) => {
    await using cluster = await startCluster(options)
    using announcements = await openAnnouncements(cluster)
    const [killed, ...others] = cluster.replicas as [Replica, Replica, Replica]
    const key = await createFreeKey(cluster)
    await untilTheyKnowEachOther(cluster.replicas)

    let admitted = await countAdmitted([killed], key, 10)
    await announcements.until(admitted)
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", cluster.replicas)
    admitted += await countAdmitted([killed], key, 100)
    await killed.kill("SIGKILL")
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    admitted += await countAdmitted(others, key, 100)
    const share = free.day / free.replicas
    reportEffort(t, { kills: 2, calls: 210, admitted, "of a limit of": free.day })
    assert.ok(admitted >= free.day && admitted <= free.day + share, `${admitted} of ${free.day}`)
  })
})
