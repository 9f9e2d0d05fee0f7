// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { samplesIn, sumOf } from "../harness/metrics.ts"
import { until } from "../harness/until.ts"

/** A little more than the interval in which replicas announce what they admitted. */
const announcedMs = 1_500
const free = { minute: 60, replicas: 3 }

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
  test("the others have told Redis what it had admitted, once", async () => {
    await using cluster = await startCluster({ replicas: free.replicas })
    const [killed, ...others] = cluster.replicas as [Replica, Replica, Replica]
    const key = await createFreeKey(cluster)

    const before = (await countAdmitted([killed], key, 25)) + (await countAdmitted(others, key, 10))
    assert.equal(before, 35)
    await sleep(announcedMs)
    await killed.kill("SIGKILL")
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", others)
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    assert.equal(before + (await countAdmitted(others, key, 100)), free.minute)

    // Again: what it admitted is also known from before the first loss.
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", others)
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    assert.equal(await countAdmitted(others, key, 30), 0)
  })

  test("what it admitted while Redis was away is lost: at most its share", async () => {
    await using cluster = await startCluster({ replicas: free.replicas })
    const [killed, ...others] = cluster.replicas as [Replica, Replica, Replica]
    const key = await createFreeKey(cluster)
    await untilTheyKnowEachOther(cluster.replicas)

    let admitted = await countAdmitted([killed], key, 10)
    await sleep(announcedMs)
    await cluster.redis.kill("SIGKILL")
    await untilRedisIs("away", cluster.replicas)
    admitted += await countAdmitted([killed], key, 100)
    await killed.kill("SIGKILL")
    await cluster.redis.restart()
    await untilRedisIs("back", others)
    admitted += await countAdmitted(others, key, 100)
    const share = free.minute / free.replicas
    assert.ok(admitted >= free.minute && admitted <= free.minute + share, `${admitted} of ${free.minute}`)
  })
})
