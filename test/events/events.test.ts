import assert from "node:assert/strict"
import { test } from "node:test"
import { readEventStream } from "../../src/client/receiving/event-stream.ts"
import { positionOf } from "../../src/core/domain/events/rules.ts"
import { forgetOld } from "../../src/core/workers/forget-old.ts"
import { newPets } from "../harness/samples.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({}, "one for each test")
const admin = petstore.as("special-key")

const feed = async (after?: string) => (await admin.listEvents({ query: { ...(after && { after }) } })).value
const namesAfter = async (after: string) => (await feed(after)).map(({ data }) => (data as { name: string }).name)

const ask = asker(petstore, "/api/v3")
const reset = () => ask("/sandbox/reset", { method: "POST" })

/** Checks that the list in both orders, the stream and a reconnecting stream refuse this id in the same way. */
async function requireUnknown(id: string): Promise<void> {
  for (const [path, headers] of [
    [`/events?after=${id}`, {}],
    [`/events?after=${id}&sort=-id`, {}],
    [`/events/stream?after=${id}`, {}],
    ["/events/stream", { "last-event-id": id }],
  ] as const) {
    const response = await fetch(`${petstore.url}/api/v3${path}`, { headers: { api_key: "special-key", ...headers } })
    const { code, detail } = (response.status === 200 ? {} : await response.json()) as {
      code?: string
      detail?: string
    }
    if (response.status === 200) await response.body?.cancel()
    assert.deepEqual({ path, status: response.status, code }, { path, status: 410, code: "event-unknown" })
    assert.match(detail ?? "", /To continue, read GET \/events without `after`/)
  }
}

/** The first id that a stream sends: that of the place where it starts. */
async function placeOfStream(): Promise<string> {
  const response = await ask("/events/stream")
  for await (const { id } of readEventStream(response.body as AsyncIterable<Uint8Array>)) if (id) return id
  return assert.fail("the stream states no place")
}

test("an id beyond the newest event, as after a reset, is unknown, and stays so when the feed has grown past it", async () => {
  await newPets(admin, "one", "two", "three")
  const before = (await feed()).map(({ id }) => id)
  const place = await placeOfStream()
  petstore.clock.advance(1000)
  await reset()
  await requireUnknown(before.at(-1) as string)
  await requireUnknown(place)
  await newPets(admin, "four", "five", "six", "seven")
  for (const id of [...before, place]) await requireUnknown(id)
  assert.equal((await feed()).length, 4)
})

test("an id of another store is unknown, and so is one that was never given", async () => {
  await newPets(admin, "one", "two")
  const [first] = await feed()
  const [, position] = (first?.id ?? "").split("_")
  await requireUnknown(`evt_${position}_ffffffffffff`)
  await requireUnknown(`evt_${position}_000000000001`)
  await requireUnknown("evt_9999999999999999_000000000000")
})

test("an id whose successors have been removed is unknown; the one just before the oldest event kept misses nothing", async () => {
  await newPets(admin, "one", "two", "three")
  const [one, two, three] = (await feed()).slice(-3).map(({ id }) => id) as [string, string, string]
  petstore.clock.advance(petstore.retention.events)
  await newPets(admin, "four", "five")
  petstore.clock.advance(1)
  await forgetOld(petstore)
  await requireUnknown(one)
  await requireUnknown(two)
  await requireUnknown("evt_0_000000000000")
  assert.deepEqual(await namesAfter(three), ["four", "five"])
  const four = (await feed())[0]?.id as string
  assert.deepEqual(await namesAfter(four), ["five"])
})

test("an event that outlives its successors, because its delivery is kept, does not hide that they are missing", async () => {
  await admin.createWebhook({ body: { url: "http://127.0.0.1:9/", events: ["pet.created"] } })
  const rename = (name: string) => admin.patchPet({ params: { petId: 1 }, body: { name } })
  await newPets(admin, "kept")
  const [kept] = (await feed()).map(({ id }) => id) as [string]
  await rename("removed")
  assert.equal((await feed()).length, 2)
  await petstore.store.transaction((tx) => tx.events.prune(petstore.clock.now() + 1, 1000))
  assert.deepEqual(
    (await feed()).map(({ id }) => id),
    [kept],
  )
  await requireUnknown(kept)
  await rename("later")
  await requireUnknown(kept)
  assert.deepEqual(await namesAfter(`evt_${positionOf(kept) + 1}_000000000000`), ["later"])
})

test("a quiet feed from which every event was removed continues after the last one", async () => {
  await newPets(admin, "last")
  const last = (await feed()).at(-1)?.id as string
  const place = await placeOfStream()
  petstore.clock.advance(petstore.retention.events + 1)
  await forgetOld(petstore)
  assert.deepEqual(await feed(), [])
  for (const id of [last, place]) assert.deepEqual(await feed(id), [])
  await newPets(admin, "first")
  for (const id of [last, place]) assert.deepEqual(await namesAfter(id), ["first"])
})

test("the place of a stream is known as long as the feed is the same, also as earlier versions wrote it", async () => {
  assert.deepEqual(await feed(await placeOfStream()), [])
  await newPets(admin, "one")
  const place = await placeOfStream()
  await newPets(admin, "two")
  assert.deepEqual(await namesAfter(place), ["two"])
  assert.deepEqual(await namesAfter(`evt_${positionOf(place)}_000000000000`), ["two"])
})
