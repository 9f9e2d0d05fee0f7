import { randomUUID } from "node:crypto"
import { setTimeout as after } from "node:timers/promises"
import { type RawConnection, rawConnection } from "../harness/raw-http.ts"
import type { Asked, Values } from "./record.ts"
import type { Service, World } from "./world.ts"

/** Pets of a burst whose ids are generated, and those of them with a tag that no pet had. */
const generatedCount = 30
const taggedCount = 3
const burstSize = generatedCount + 3
const arrivalMs = 50
const responseTimeoutMs = 10_000

type Create = { asked: Asked; body: { id?: number; name: string; tags?: { name: string }[] } }

/** Creates that lack their last byte. */
type Burst = {
  /** Sends what is missing, and when all have their responses, reads, orders and deletes some of the pets. */
  finish(): Promise<void>
}

/**
 * Begins to add pets to one replica, all within one turn of its event loop: with generated ids, some of them with a new tag, with an
 * id that is taken, and two with one id that is free. Undefined if the replica is not there.
 */
export async function openBurst(
  world: World,
  client: number,
  replica: Service,
  place: number,
): Promise<Burst | undefined> {
  using opening = new DisposableStack()
  const connecting = await Promise.allSettled(Array.from({ length: burstSize }, () => rawConnection(replica.url)))
  const connections = connecting.flatMap((one) => (one.status === "fulfilled" ? opening.use(one.value) : []))
  if (connections.length < burstSize) return undefined
  const creates = createsOf(world, client, place)
  const requests = creates.map(({ body }) => requestOf(replica, { ...body, photoUrls: [] }))
  for (const [n, connection] of connections.entries()) connection.send((requests[n] as string).slice(0, -1))
  await after(arrivalMs)
  const opened = opening.move()
  return {
    async finish() {
      using _ = opened
      const made = await Promise.all(
        creates.map(({ asked }, n) => world.call(asked, () => finish(connections[n] as RawConnection), createdOf)),
      )
      await visit(
        world,
        client,
        made.flatMap(({ kind, key, output }) => (kind === "burst" && output?.id ? { key, id: output.id } : [])),
      )
    },
  }
}

/** What is sent, in a random order, and which of it is read back under which kind. */
function createsOf(world: World, client: number, place: number): Create[] {
  const tag = randomUUID()
  const generated = Array.from({ length: generatedCount }, (_, n): Create => {
    const name = world.nameFor("burst")
    const tags = n < taggedCount ? [{ name: tag }] : []
    return { asked: { client, kind: "burst", key: name, do: "add" }, body: { name, tags } }
  })
  const [taken, free] = [world.pets[place] as number, world.takeId()]
  world.pets[place] = free
  const chosen = [taken, free, free].map((id): Create => {
    const name = randomUUID()
    return { asked: { client, kind: "pet", key: String(id), do: "create", input: { name } }, body: { id, name } }
  })
  return [...generated.slice(0, 10), ...chosen, ...generated.slice(10)]
}

function requestOf({ url }: Service, body: object): string {
  const text = JSON.stringify(body)
  const headers = [
    `Host: ${new URL(url).host}`,
    "api_key: special-key",
    "Content-Type: application/json",
    `Content-Length: ${text.length}`,
  ]
  return `POST /api/v3/pet HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${text}`
}

async function finish(connection: RawConnection): Promise<Response> {
  connection.send("}")
  const timer = setTimeout(() => connection[Symbol.dispose](), responseTimeoutMs)
  const { status, headers, body } = await connection.response().finally(() => clearTimeout(timer))
  return new Response(body, { status, headers })
}

async function createdOf(response: Response): Promise<Values> {
  const { id, name } = (await response.json()) as { id: number; name: string }
  return response.ok ? { id, name, etag: response.headers.get("etag") ?? "" } : {}
}

/** Other requests about the same pets, by way of any replica. */
async function visit(world: World, client: number, pets: readonly { key: string; id: number }[]): Promise<void> {
  const [first, second, ordered, deleted] = [pets.at(0), pets.at(-1), pets.at(1), pets.at(2)]
  if (!first || !second || !ordered || !deleted) return
  await Promise.all([
    world.visit(client, first.key, first.id, "read"),
    world.visit(client, second.key, second.id, "read"),
    world.placeOrder(client, ordered.id),
    world.placeOrder(client, ordered.id),
    world.visit(client, deleted.key, deleted.id, "delete"),
  ])
  await world.cancelOrder(client, ordered.id)
}
