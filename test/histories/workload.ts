import { randomUUID } from "node:crypto"
import { setTimeout as after } from "node:timers/promises"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { randomOf } from "../harness/random.ts"
import { firstId, subscribe } from "./deliveries.ts"
import { type Asked, type Call, createRecorder, type Recorder, refused, type Values } from "./record.ts"

type Service = { readonly url: string }

const admin = "special-key"
const petCount = 5
/** Bounds the number of calls whose outcome is unknown, on which the time to judge a history depends. */
const pauseAfterFailureMs = 100
/** Pets that are ordered, and not changed otherwise. */
const orderedIds = [900_001, 900_002, 900_003, 900_004, 900_005]
/** Pets with one name, which is changed in all of them at once, and their tag. */
const batches = [1, 2].map((n) => ({ tag: `batch-${n}`, ids: [1, 2, 3].map((k) => 910_000 + n * 10 + k) }))

/**
 * Sends requests to a service, which may be killed meanwhile, and records them. With the same seed each client makes the same draws;
 * how the requests of several follow each other remains open.
 */
export async function runWorkload(
  service: Service,
  clients: number,
  seed: number,
  disturb: (recorder: Recorder) => Promise<void>,
) {
  const recorder = createRecorder()
  const ending = new AbortController()
  const world = createWorld(service, recorder)
  await using subscriber = await subscribe(service, recorder, randomOf(seed))
  for (let n = 0; n < petCount; n++) await world.createPet(0, n)
  const { addPet } = createPetstoreClient({ url: service.url, apiKey: admin })
  for (const id of orderedIds) await addPet({ body: { id, name: "ordered", photoUrls: [] } })
  // What can be contradicted is there however few requests a slow machine sends.
  for (const batch of batches) await world.createBatch(batch).then(() => world.changeBatch(0, batch))
  await world.addOnce(0)
  const running = Array.from({ length: clients }, (_, client) =>
    runClient(world, client, randomOf(seed + 1 + client), ending.signal),
  )
  await disturb(recorder)
  ending.abort()
  await Promise.all(running)
  await world.settle()
  await subscriber.settle()
  return recorder.calls
}

type World = ReturnType<typeof createWorld>
type Batch = (typeof batches)[number]

function createWorld(service: Service, recorder: Recorder) {
  const pets: number[] = []
  const etags = new Map<number, string>()
  const openOrders = new Map<number, number>()
  let nextId = firstId

  const request =
    (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    () =>
      fetch(`${service.url}/api/v3${path}`, {
        method,
        headers: { api_key: admin, "content-type": "application/json", ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
  const petOf = async (response: Response): Promise<Values> => {
    const pet = (await response.json()) as { id: number; name: string }
    return response.ok ? { name: pet.name, etag: response.headers.get("etag") ?? "" } : {}
  }
  const idOf = async (response: Response): Promise<Values> => {
    const { id } = (await response.json()) as { id?: number }
    return response.ok && id !== undefined ? { id } : {}
  }
  async function call(asked: Asked, send: () => Promise<Response>, read = petOf): Promise<Call> {
    const made = await recorder.call(asked, send, read)
    if (made.status === 0 || made.status === refused) await after(pauseAfterFailureMs)
    return made
  }

  return {
    pets,
    etags,
    /** Adds a pet in the place of one that was deleted. */
    async createPet(client: number, place: number): Promise<void> {
      const [id, name] = [nextId++, randomUUID()]
      await call(
        { client, kind: "pet", key: String(id), do: "create", input: { name } },
        request("POST", "/pet", { id, name, photoUrls: [] }),
      )
      pets[place] = id
    },
    async readPet(client: number, id: number): Promise<Call> {
      const read = await call({ client, kind: "pet", key: String(id), do: "read" }, request("GET", `/pet/${id}`))
      if (read.output?.etag) etags.set(id, read.output.etag)
      return read
    },
    async replacePet(client: number, id: number, ifMatch: string | undefined): Promise<Call> {
      const name = randomUUID()
      const input = { name, ...(ifMatch !== undefined && { ifMatch }) }
      return call(
        { client, kind: "pet", key: String(id), do: "replace", input },
        request("PUT", "/pet", { id, name, photoUrls: [] }, ifMatch === undefined ? {} : { "if-match": ifMatch }),
      )
    },
    async deletePet(client: number, id: number): Promise<void> {
      await call({ client, kind: "pet", key: String(id), do: "delete" }, request("DELETE", `/pet/${id}`))
    },
    async placeOrder(client: number, petId: number): Promise<void> {
      const placed = await call(
        { client, kind: "order", key: String(petId), do: "place" },
        request("POST", "/store/order", { petId }),
        idOf,
      )
      if (placed.output?.id !== undefined) openOrders.set(petId, placed.output.id)
    },
    async cancelOrder(client: number, petId: number): Promise<void> {
      const id = openOrders.get(petId)
      if (id === undefined) return
      await call(
        { client, kind: "order", key: String(petId), do: "cancel", input: { id } },
        request("DELETE", `/store/order/${id}`),
        idOf,
      )
    },
    async createBatch({ tag, ids }: Batch): Promise<void> {
      await recorder.during(
        { client: 0, kind: "batch", key: tag, do: "create", input: { name: "first" } },
        async () => {
          for (const id of ids) {
            const body = { id, name: "first", photoUrls: [], tags: [{ name: tag }] }
            await (await request("POST", "/pet", body)()).json()
          }
        },
      )
    },
    /** Changes the name of all in one transaction. */
    async changeBatch(client: number, { tag, ids }: Batch): Promise<void> {
      const name = randomUUID()
      await call(
        { client, kind: "batch", key: tag, do: "replace", input: { name } },
        request(
          "PATCH",
          "/pets",
          ids.map((id) => ({ id, patch: { name } })),
        ),
        async (response) => ({ count: ((await response.json()) as unknown[]).length }),
      )
    },
    /** Reads all of them at once; the name is empty when they have several. */
    async readBatch(client: number, { tag }: Batch): Promise<void> {
      await call(
        { client, kind: "batch", key: tag, do: "read" },
        request("GET", `/pet/findByTags?tags=${tag}`),
        async (response) => {
          const names = new Set(((await response.json()) as { name: string }[]).map(({ name }) => name))
          return { name: names.size === 1 ? ([...names][0] as string) : "" }
        },
      )
    },
    /** Two requests at once with one idempotency key, and further ones until one has a response. */
    async addOnce(client: number): Promise<void> {
      const key = randomUUID()
      const post = (n: number) =>
        call(
          { client: client * 10 + n, kind: "key", key, do: "add" },
          request("POST", "/pet", { name: key, photoUrls: [] }, { "idempotency-key": key }),
          idOf,
        )
      await Promise.all([post(1), post(2)])
      while ((await post(3)).status !== 200) await after(50)
    },
    async readLimited(client: number): Promise<void> {
      await call(
        { client, kind: "limit", key: "free-key", do: "read" },
        request("GET", "/pet/findByStatus?limit=1", undefined, { api_key: "free-key" }),
        async () => ({}),
      )
    },
    /**
     * Does everything once more, one after the other, so that a history ends with each kind of response; and reads how often each key
     * added a pet.
     */
    async settle(): Promise<void> {
      for (const id of pets) {
        const { output } = await this.readPet(0, id)
        for (const ifMatch of [undefined, undefined, output?.etag]) await this.replacePet(0, id, ifMatch)
        await this.readPet(0, id)
      }
      for (const id of orderedIds) for (let n = 0; n < 2; n++) await this.placeOrder(0, id)
      for (const batch of batches) await this.readBatch(0, batch)
      for (const key of new Set(recorder.calls.filter(({ kind }) => kind === "key").map((one) => one.key)))
        await recorder.call(
          { client: 0, kind: "key", key, do: "count" },
          request("GET", `/pet?name=${key}`),
          async (response) => ({ count: ((await response.json()) as unknown[]).length }),
        )
    },
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
