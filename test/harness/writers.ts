import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { setTimeout as after } from "node:timers/promises"
import type { Pet } from "../../src/core/domain/pets/contract.ts"
import type { startReplicas } from "./cluster.ts"
import type { Effort } from "./report-effort.ts"

const admin = "special-key"
/** 409: the same request, sent before a process was killed, is still in progress. */
const allowedStatuses = [200, 409, 503]

type Cluster = Pick<Awaited<ReturnType<typeof startReplicas>>, "url" | "as">
type Observations = {
  pets: Map<number, Pet>
  statuses: Map<number, number>
  withoutRetryAfter: number
  acknowledgedAt: number[]
}

/** Clients that create pets through a cluster until they are stopped. */
export function startWriters(cluster: Cluster, count: number) {
  const observed: Observations = { pets: new Map(), statuses: new Map(), withoutRetryAfter: 0, acknowledgedAt: [] }
  const ending = new AbortController()
  const abandoning = new AbortController()
  const writing = Array.from({ length: count }, () => createUntil(ending.signal, abandoning.signal, cluster, observed))
  return {
    pets: observed.pets,
    /** The time of each acknowledgement, by `performance.now()`. */
    acknowledgedAt: observed.acknowledgedAt,
    stop(): Promise<unknown> {
      ending.abort()
      return Promise.all(writing)
    },
    /** Asserts that all responses were successes or 503 with `Retry-After`, and that every pet exists and has one event. */
    async verify(): Promise<void> {
      const unexpected = [...observed.statuses.keys()].filter((status) => !allowedStatuses.includes(status))
      assert.deepEqual(unexpected, [])
      assert.equal(observed.withoutRetryAfter, 0)
      const store = cluster.as(admin)
      for (const [petId, pet] of observed.pets)
        assert.deepEqual((await store.getPetById({ params: { petId } })).value, pet)
      const announced = await countEvents(cluster)
      for (const petId of observed.pets.keys()) assert.equal(announced.get(petId), 1, `events of pet ${petId}`)
    },
    /** Stops without waiting for pending acknowledgements. */
    async [Symbol.asyncDispose]() {
      ending.abort()
      abandoning.abort()
      await Promise.allSettled(writing)
    },
    /** What was sent, for the test output. */
    effort: (): Effort => ({
      "in flight": count,
      calls: [...observed.statuses.values()].reduce((sum, times) => sum + times, 0),
      acknowledged: observed.pets.size,
      unavailable: observed.statuses.get(503) ?? 0,
    }),
  }
}

/** Creates pets one after the other; repeats each request with its `Idempotency-Key` until it is acknowledged. */
async function createUntil(
  signal: AbortSignal,
  abandoning: AbortSignal,
  { url }: Cluster,
  observed: Observations,
): Promise<void> {
  while (!signal.aborted) {
    const body = JSON.stringify({ name: randomUUID(), photoUrls: [] })
    const headers = { api_key: admin, "content-type": "application/json", "idempotency-key": randomUUID() }
    while (!abandoning.aborted) {
      const response = await fetch(`${url}/api/v3/pet`, { method: "POST", headers, body })
      const text = await response.text()
      observed.statuses.set(response.status, (observed.statuses.get(response.status) ?? 0) + 1)
      if (response.status === 200) {
        const pet = JSON.parse(text) as Pet
        assert.ok(!observed.pets.has(pet.id as number), `pet ${pet.id} was acknowledged twice`)
        observed.pets.set(pet.id as number, pet)
        observed.acknowledgedAt.push(performance.now())
        break
      }
      if (response.status === 503 && !response.headers.has("retry-after")) observed.withoutRetryAfter++
      if (!allowedStatuses.includes(response.status)) break
      await after(50)
    }
  }
}

/** Number of `pet.created` events in the feed, by pet id. */
async function countEvents(cluster: Cluster): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const store = cluster.as(admin)
  const ids = new Set<string>()
  for (let last: string | undefined; ; ) {
    const { value } = await store.listEvents({ query: { limit: 1000, ...(last !== undefined && { after: last }) } })
    if (value.length === 0) return counts
    for (const { id, event, data } of value) {
      assert.ok(!ids.has(id), `the feed holds event ${id} once`)
      ids.add(id)
      last = id
      const { id: petId } = data as { id: number }
      if (event === "pet.created") counts.set(petId, (counts.get(petId) ?? 0) + 1)
    }
  }
}
