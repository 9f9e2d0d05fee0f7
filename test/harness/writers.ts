import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { setTimeout as after } from "node:timers/promises"
import type { Pet } from "../../src/domain/pets/contract.ts"
import type { startReplicas } from "./cluster.ts"

const admin = "special-key"
/** 409: the same request, sent before somebody died with it, is still under way. */
const allowedStatuses = [200, 409, 503]

type Cluster = Pick<Awaited<ReturnType<typeof startReplicas>>, "url" | "as">
type Seen = {
  pets: Map<number, Pet>
  statuses: Map<number, number>
  withoutRetryAfter: number
  acknowledgedAt: number[]
}

/** Clients that create pets through a cluster until they are told to stop. */
export function startWriters(cluster: Cluster, count: number) {
  const seen: Seen = { pets: new Map(), statuses: new Map(), withoutRetryAfter: 0, acknowledgedAt: [] }
  const ending = new AbortController()
  const impatience = new AbortController()
  const writing = Array.from({ length: count }, () => createUntil(ending.signal, impatience.signal, cluster, seen))
  return {
    pets: seen.pets,
    /** When each creation was acknowledged, by `performance.now()`. */
    acknowledgedAt: seen.acknowledgedAt,
    stop(): Promise<unknown> {
      ending.abort()
      return Promise.all(writing)
    },
    /** Asserts that nothing but success and 503 with `Retry-After` was seen, and that every pet is there, announced once. */
    async verify(): Promise<void> {
      const unexpected = [...seen.statuses.keys()].filter((status) => !allowedStatuses.includes(status))
      assert.deepEqual(unexpected, [])
      assert.equal(seen.withoutRetryAfter, 0)
      const store = cluster.as(admin)
      for (const [petId, pet] of seen.pets) assert.deepEqual((await store.getPetById({ params: { petId } })).value, pet)
      const announced = await countEvents(cluster)
      for (const petId of seen.pets.keys()) assert.equal(announced.get(petId), 1, `events of pet ${petId}`)
    },
    /** Stops without waiting for what is not acknowledged yet. */
    async [Symbol.asyncDispose]() {
      ending.abort()
      impatience.abort()
      await Promise.allSettled(writing)
    },
    /** What was seen, for a person. */
    toString: () =>
      `${seen.pets.size} pets acknowledged; ${[...seen.statuses].map(([status, times]) => `${times} × ${status}`).join(", ")}`,
  }
}

/** Creates one pet after the other; each is sent again with its `Idempotency-Key` until it is acknowledged. */
async function createUntil(signal: AbortSignal, impatience: AbortSignal, { url }: Cluster, seen: Seen): Promise<void> {
  while (!signal.aborted) {
    const body = JSON.stringify({ name: randomUUID(), photoUrls: [] })
    const headers = { api_key: admin, "content-type": "application/json", "idempotency-key": randomUUID() }
    while (!impatience.aborted) {
      const response = await fetch(`${url}/api/v3/pet`, { method: "POST", headers, body })
      const text = await response.text()
      seen.statuses.set(response.status, (seen.statuses.get(response.status) ?? 0) + 1)
      if (response.status === 200) {
        const pet = JSON.parse(text) as Pet
        assert.ok(!seen.pets.has(pet.id as number), `pet ${pet.id} was acknowledged twice`)
        seen.pets.set(pet.id as number, pet)
        seen.acknowledgedAt.push(performance.now())
        break
      }
      if (response.status === 503 && !response.headers.has("retry-after")) seen.withoutRetryAfter++
      if (!allowedStatuses.includes(response.status)) break
      await after(50)
    }
  }
}

/** How many events of its creation the feed holds of each pet. */
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
