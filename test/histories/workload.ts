import { setTimeout as after } from "node:timers/promises"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { randomOf } from "../harness/random.ts"
import { openBurst } from "./bursts.ts"
import { subscribe } from "./deliveries.ts"
import { type Call, createRecorder, type Recorder } from "./record.ts"
import { measureWork, type Work } from "./work.ts"
import { type Batch, batches, createWorld, orderedIds, type Service, type World } from "./world.ts"

const petCount = 5
const [importCount, batchCount] = [6, 4]
const limitedCount = 12
/** Creates with keys that are in flight on each replica when something fails. */
const keyedCount = 20
/** For how long they stay so while a server is being stopped. */
const stoppingMs = 100
/** What fails does so this long after a burst began, at most. */
const commitMs = 20
const burstEveryMs = 2_000
/** The client of what is sent because something fails. */
const ofFaults = 100

/** A service, and its replicas if it has several. */
type Replicated = Service & { readonly replicas?: readonly Service[] }

/** What a run did: its calls, those without a response at each fault, and the work of the processes. */
export type Run = { calls: Call[]; inFlight: ReadonlyMap<Call["kind"], number>[]; work: Work }

/**
 * Sends requests to a service, in which something fails meanwhile, and records them. With the same seed each client makes the same
 * draws; how the requests of several follow each other remains open.
 */
export async function runWorkload(
  service: Replicated,
  clients: number,
  seed: number,
  disturb: (recorder: Recorder) => Promise<void>,
): Promise<Run> {
  const recorder = createRecorder()
  const ending = new AbortController()
  const world = createWorld(service, recorder)
  const replicas = service.replicas ?? [service]
  await using subscriber = await subscribe(service, recorder, randomOf(seed))
  await prepare(world, service)
  const measured = await measureWork(replicas)
  const draws = (client: number) => randomOf(seed + 1 + client)
  const running = Array.from({ length: clients }, (_, client) => runClient(world, client, draws(client), ending.signal))
  for (const [n, replica] of replicas.entries())
    running.push(runBursts(world, clients + n, { replica, random: draws(clients + n), signal: ending.signal }))
  const random = draws(-2)
  const inFlight: Run["inFlight"] = []
  await disturb({
    ...recorder,
    async during(asked, act) {
      await measured.read()
      const adding = new AbortController()
      const place = Math.floor(random() * petCount)
      const opening = replicas.map((replica, n) => openBurst(world, ofFaults + n, replica, place))
      for (const replica of replicas) running.push(...startAdding(world, replica, adding.signal))
      const bursts = await Promise.all(opening)
      running.push(...bursts.map((burst) => burst?.finish() ?? Promise.resolve()), world.importPets(ofFaults))
      await after(random() * commitMs)
      inFlight.push(recorder.inFlight())
      setTimeout(() => adding.abort(), stoppingMs)
      return await recorder.during(asked, act)
    },
  })
  ending.abort()
  await Promise.all(running)
  await measured.read()
  await settle(world)
  await subscriber.settle()
  return { calls: recorder.calls, inFlight, work: measured.work() }
}

/** What can be contradicted is there however few requests a slow machine sends. */
async function prepare(world: World, service: Service): Promise<void> {
  for (let n = 0; n < petCount; n++) await world.createPet(0, n)
  const { addPet } = createPetstoreClient({ url: service.url, apiKey: "special-key" })
  for (const id of orderedIds) await addPet({ body: { id, name: "ordered", photoUrls: [] } })
  for (const batch of batches) {
    await world.createBatch(batch)
    for (let n = 0; n < batchCount; n++) await world.changeBatch(0, batch)
  }
  for (let n = 0; n < importCount; n++) await world.importPets(0)
  await world.addOnce(0)
  for (let n = 0; n < limitedCount; n++) await world.readLimited(0)
}

/** Keeps creates with keys in flight until the signal; each is sent again until it has a response. */
const startAdding = (world: World, replica: Service, signal: AbortSignal): Promise<void>[] =>
  Array.from({ length: keyedCount }, async () => {
    do await world.addAt(ofFaults, replica)
    while (!signal.aborted)
  })

type Bursts = { replica: Service; random: () => number; signal: AbortSignal }

/** Adds pets in bursts on one replica. */
async function runBursts(world: World, client: number, { replica, random, signal }: Bursts): Promise<void> {
  while (!signal.aborted) {
    const burst = await openBurst(world, client, replica, Math.floor(random() * petCount))
    await burst?.finish()
    await after(random() * burstEveryMs)
  }
}

/** Does one thing after the other, chosen at random. */
async function runClient(world: World, client: number, random: () => number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const place = Math.floor(random() * petCount)
    const id = world.pets[place] as number
    const batch = batches[place % batches.length] as Batch
    const draw = random()
    if (draw < 0.3) await world.readPet(client, id)
    else if (draw < 0.6) await world.replacePet(client, id, random() < 0.6 ? world.etags.get(id) : undefined)
    else if (draw < 0.63) await world.deletePet(client, id).then(() => world.createPet(client, place))
    else if (draw < 0.73) await world.placeOrder(client, orderedIds[place] as number)
    else if (draw < 0.83) await world.cancelOrder(client, orderedIds[place] as number)
    else if (draw < 0.9) await world.readLimited(client)
    else if (draw < 0.93) await world.changeBatch(client, batch)
    else if (draw < 0.96) await world.readBatch(client, batch)
    else await world.addOnce(client)
    await after(random() * 4)
  }
}

/**
 * Does everything once more, one after the other, so that a history ends with each kind of response; and reads how often each name was
 * added.
 */
async function settle(world: World): Promise<void> {
  for (let place = 0; place < petCount; place++) {
    // The burst that was to add it may have been killed.
    if ((await world.readPet(0, world.pets[place] as number)).status !== 200) await world.createPet(0, place)
    const id = world.pets[place] as number
    const { output } = await world.readPet(0, id)
    for (const ifMatch of [undefined, undefined, output?.etag]) await world.replacePet(0, id, ifMatch)
    await world.readPet(0, id)
  }
  for (const id of orderedIds) for (let n = 0; n < 2; n++) await world.placeOrder(0, id)
  for (const batch of batches) await world.readBatch(0, batch)
  await world.count()
}
