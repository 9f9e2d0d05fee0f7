import { randomUUID } from "node:crypto"
import { setTimeout as after } from "node:timers/promises"
import { firstId } from "./deliveries.ts"
import { type Asked, type Call, now, type Recorder, refused, type Values } from "./record.ts"

/** Where requests go; the address of a process changes with a restart. */
export type Service = { readonly url: string }

const admin = "special-key"
/** Bounds the number of calls whose outcome is unknown, on which the time to judge a history depends. */
const pauseAfterFailureMs = 100
/** Pets that are ordered, and not changed otherwise. */
export const orderedIds = [900_001, 900_002, 900_003, 900_004, 900_005]
/** Pets with one name, which is changed in all of them at once, and their tag. */
export const batches = [1, 2].map((n) => ({ tag: `batch-${n}`, ids: [1, 2, 3].map((k) => 910_000 + n * 10 + k) }))
export type Batch = (typeof batches)[number]

const importedLines = 60
/** Names that are counted with one request. */
const namesAtOnce = 500

export type World = ReturnType<typeof createWorld>

/** What clients do to a service, each as calls of the history. */
export function createWorld(service: Service, recorder: Recorder) {
  const pets: number[] = []
  const etags = new Map<number, string>()
  const openOrders = new Map<number, number>()
  const imported = new Map<string, number[]>()
  let nextId = firstId
  let names = 0

  const request =
    (method: string, path: string, body?: object, headers: Record<string, string> = {}, to = service) =>
    () =>
      fetch(`${to.url}/api/v3${path}`, {
        method,
        headers: { api_key: admin, "content-type": "application/json", ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
  async function call(asked: Asked, send: () => Promise<Response>, read = petOf): Promise<Call> {
    const made = await recorder.call(asked, send, read)
    if (made.status === 0 || made.status === refused) await after(pauseAfterFailureMs)
    return made
  }
  /** A new name for a pet; those before the last hyphen are the same for some. */
  const nameFor = (kind: Call["kind"]): string => `${kind}-${Math.floor(names / namesAtOnce)}-${names++}`
  const addWithKey = (client: number, key: string, to = service) =>
    call(
      { client, kind: "key", key, do: "add" },
      request("POST", "/pet", { name: key, photoUrls: [] }, { "idempotency-key": key }, to),
      idOf,
    )
  /** The pets whose name begins like this, once all processes work again. */
  async function listPets(prefix: string): Promise<{ id: number; name: string }[]> {
    for (;;) {
      const response = await request("GET", `/pet?limit=1000&name=${encodeURIComponent(prefix)}`)().catch(() => {})
      if (response?.ok) return (await response.json()) as { id: number; name: string }[]
      await after(pauseAfterFailureMs)
    }
  }

  return {
    pets,
    etags,
    call,
    nameFor,
    takeId: (): number => nextId++,
    /** Adds a pet in the place of one that was deleted; with a key, because otherwise only bursts share transactions. */
    async createPet(client: number, place: number): Promise<void> {
      const [id, name] = [nextId++, randomUUID()]
      await call(
        { client, kind: "pet", key: String(id), do: "create", input: { name } },
        request("POST", "/pet", { id, name, photoUrls: [] }, { "idempotency-key": name }),
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
    /** Reads or deletes a pet of a burst under the id that its response had. */
    async visit(client: number, key: string, id: number, what: "read" | "delete"): Promise<void> {
      const method = what === "read" ? "GET" : "DELETE"
      await call({ client, kind: "burst", key, do: what, input: { id } }, request(method, `/pet/${id}`))
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
      const key = nameFor("key")
      await Promise.all([addWithKey(client * 10 + 1, key), addWithKey(client * 10 + 2, key)])
      while ((await addWithKey(client * 10 + 3, key)).status !== 200) await after(50)
    },
    /** A request with an idempotency key to one replica, and further ones to any until one has a response. */
    async addAt(client: number, replica: Service): Promise<void> {
      const key = nameFor("key")
      for (let to = replica; (await addWithKey(client, key, to)).status !== 200; to = service) await after(50)
    },
    /** Adds pets in one transaction, with a tag of their own. */
    async importPets(client: number): Promise<void> {
      const key = nameFor("import")
      const lines = Array.from({ length: importedLines }, (_, n) => ({
        name: `${key} ${n}`,
        photoUrls: [],
        tags: [{ name: key }],
      }))
      await call(
        { client, kind: "import", key, do: "add" },
        request("POST", "/pets/import", lines),
        async (response) => {
          if (!response.ok) return {}
          const ids = ((await response.json()) as { id: number }[]).map(({ id }) => id)
          imported.set(key, ids)
          return { id: ids[0] as number }
        },
      )
    },
    async readLimited(client: number): Promise<void> {
      await call(
        { client, kind: "limit", key: "free-key", do: "read" },
        request("GET", "/pet/findByStatus?limit=1", undefined, { api_key: "free-key" }),
        async () => ({}),
      )
    },
    /** Records how many pets there are of each name that was to be added, and the id of one. */
    async count(): Promise<void> {
      const asked = new Map(recorder.calls.map(({ kind, key }) => [key, kind]))
      const ofKind = (...kinds: Call["kind"][]) => [...asked].filter(([, kind]) => kinds.includes(kind))
      const note = (key: string, kind: Call["kind"], start: number, output: Values) =>
        recorder.calls.push({ client: 0, kind, key, do: "count", output, status: 200, start, end: now() })
      const prefixOf = (key: string): string => key.slice(0, key.lastIndexOf("-") + 1)
      for (const [prefix, keys] of Map.groupBy(ofKind("key", "burst"), ([key]) => prefixOf(key))) {
        const start = now()
        const found = Map.groupBy(await listPets(prefix), ({ name }) => name)
        for (const [key, kind] of keys) {
          const [{ id } = { id: 0 }, ...others] = found.get(key) ?? []
          note(key, kind, start, { count: id === 0 ? 0 : 1 + others.length, id })
        }
      }
      for (const [key, kind] of ofKind("import")) {
        const start = now()
        const ids = new Map((await listPets(`${key} `)).map(({ id, name }) => [name, id]))
        const expected = imported.get(key)
        const isWhole = Array.from({ length: importedLines }, (_, n) => ids.get(`${key} ${n}`)).every(
          (id, n) => id !== undefined && (expected === undefined || id === expected[n]),
        )
        // A part of an import is no number of imports.
        note(key, kind, start, ids.size === 0 ? { count: 0 } : { count: isWhole ? 1 : -1 })
      }
    },
  }
}

async function petOf(response: Response): Promise<Values> {
  const { name } = (await response.json()) as { name: string }
  return response.ok ? { name, etag: response.headers.get("etag") ?? "" } : {}
}

async function idOf(response: Response): Promise<Values> {
  const { id } = (await response.json()) as { id?: number }
  return response.ok && id !== undefined ? { id } : {}
}
