import assert from "node:assert/strict"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { Refused } from "../../src/client/client.ts"
import { followEvents } from "../../src/client/receiving/events.ts"
import { newPets } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const admin = petstore.as("special-key")
const nameOf = ({ event }: { event: { data: unknown } }) => (event.data as { name: string }).name

test("events are iterated from a time or after an event, until the signal is aborted", async () => {
  petstore.clock.advance(60_000)
  const since = new Date(petstore.clock.now()).toISOString()
  await newPets(admin, "one", "two", "three")
  const options = { url: `${petstore.url}/api/v3/`, apiKey: "special-key" }
  const first = await followEvents({ ...options, since }).next()
  assert.ok(!first.done)
  assert.equal(nameOf(first.value), "one")

  const stop = new AbortController()
  const names: string[] = []
  for await (const told of followEvents({ ...options, after: first.value.id, signal: stop.signal })) {
    names.push(nameOf(told))
    if (names.length === 2) await newPets(admin, "four")
    if (names.length === 3) stop.abort()
  }
  assert.deepEqual(names, ["two", "three", "four"])
})

test("a credential without the scope is refused, as by any operation", async () => {
  const refused = followEvents({ url: petstore.url, apiKey: "free-key" }).next()
  await assert.rejects(
    refused,
    (error) => error instanceof Refused && error.operation === "streamEvents" && error.status === 403,
  )
})

test("an event that the feed does not contain is refused, because others may be missing", async () => {
  const unknown = { url: petstore.url, apiKey: "special-key", after: "evt_1_ffffffffffff" }
  await assert.rejects(
    followEvents(unknown).next(),
    (error) => error instanceof Refused && error.status === 410 && error.code === "event-unknown",
  )
})

test("a lost connection is reopened after the last event, and no event is repeated (slow)", async () => {
  const asked: (string | undefined)[] = []
  const served = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.headers["last-event-id"] as string | undefined)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const n = asked.length
    response.end(`id: evt_${n}\ndata: {"event":"pet.created","data":{"name":"${n}"}}\n\nid: half`)
  }
  await using server = createServer(served).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const ids: string[] = []
  for await (const { id } of followEvents({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })) {
    ids.push(id)
    if (ids.length === 2) break
  }
  assert.deepEqual({ ids, asked }, { ids: ["evt_1", "evt_2"], asked: [undefined, "evt_1"] })
})
