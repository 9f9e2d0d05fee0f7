import assert from "node:assert/strict"
import { test } from "node:test"
import { readEventStream } from "../../src/client/receiving/event-stream.ts"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { until } from "../harness/until.ts"

const writers = 8
const petsEach = 40

test("a client that alternates between replicas during writes receives every event once, in order", {
  skip: withoutCluster,
}, async (t) => {
  await using cluster = await startCluster({ replicas: 2 })
  const store = cluster.as("special-key")
  await store.addPet({ body: { name: "first", photoUrls: [] } })
  let isWriting = true
  const writing = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < petsEach; n++) await store.addPet({ body: { name: `${writer}.${n}`, photoUrls: [] } })
    }),
  ).finally(() => {
    isWriting = false
  })

  const received: { id: string; name: string }[] = []
  let last = (await store.listEvents({ query: { limit: 1 } })).value[0]?.id as string
  const hasAll = () => received.filter(({ name }) => name.includes(".")).length >= writers * petsEach
  let connections = 0
  for (; isWriting || !hasAll(); connections++) {
    const replica = cluster.replicas[connections % 2] as { url: string }
    const leave = new AbortController()
    const response = await fetch(`${replica.url}/api/v3/events/stream`, {
      headers: { api_key: "special-key", "last-event-id": last },
      signal: leave.signal,
    })
    const before = received.length
    const reading = (async () => {
      for await (const { id = "", data } of readEventStream(response.body as AsyncIterable<Uint8Array>))
        if (data !== undefined) received.push({ id, name: JSON.parse(data).data.name })
    })().catch(() => undefined)
    await until(() => received.length - before >= 20 || hasAll(), "no further events arrived")
    leave.abort()
    await reading
    last = received.at(-1)?.id ?? last
  }
  await writing
  reportEffort(t, { events: received.length, connections, "in flight": writers })
  const { value } = await store.listEvents({ query: { limit: 1000 } })
  assert.deepEqual(
    received.map(({ id }) => id),
    value.slice(1).map(({ id }) => id),
  )
})

test("a key revoked at one replica ends its stream at the other", { skip: withoutCluster }, async () => {
  await using cluster = await startCluster({ replicas: 2 })
  const [here, there] = cluster.replicas
  assert.ok(here && there)
  const { value: key } = await here
    .as("special-key")
    .createKey({ body: { name: "streaming", scopes: ["manage:webhooks"] } })
  const response = await fetch(`${there.url}/api/v3/events/stream`, { headers: { api_key: key.secret } })
  assert.equal(response.status, 200)
  const ended = response.text()
  const revokedAt = performance.now()
  await here.as("special-key").revokeKey({ params: { id: key.id } })
  await ended
  assert.ok(performance.now() - revokedAt < 5_000)
})
