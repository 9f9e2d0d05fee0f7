import { Client } from "pg"
import { settingsFor } from "../harness/database.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startPostgres } from "../harness/postgres.ts"
import { type Cause, lookUntil } from "./cause.ts"
import { startWatched } from "./in-this-process.ts"

const headers = { api_key: "special-key", "content-type": "application/json" }

/** A service whose connections to PostgreSQL lead through a proxy. */
export async function openOnPostgres() {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startPostgres())
  const url = await server.createDatabase()
  const proxy = opened.use(await lossyProxy(Number(new URL(url).port)))
  const other = opened.adopt(new Client({ connectionString: url }), (client) => client.end().catch(() => undefined))
  other.on("error", () => undefined)
  await other.connect()
  const proxied = Object.assign(new URL(url), { port: `${proxy.port}` }).href
  const env = { ...settingsFor(proxied), PETSTORE_CONNECTIONS_PER_ADDRESS: "5000" }
  const watched = opened.use(await startWatched({ env }))
  const send = (method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    fetch(`${watched.petstore.url}/api/v3${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.text())
  const create = (more: object = {}, key?: string) =>
    send("POST", "/pet", { name: "Rex", photoUrls: [], ...more }, key === undefined ? {} : { "idempotency-key": key })
  const kept = opened.move()
  return { ...watched, server, proxy, other, send, create, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const times = <T>(count: number, run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

export const postgresCauses: readonly Cause<Awaited<ReturnType<typeof openOnPostgres>>>[] = [
  {
    when: "another transaction holds a row that a create needs",
    fires: ["PetstoreRowsLocked"],
    async make(service) {
      const { other, create } = service
      await other.query("BEGIN; INSERT INTO tags (name) VALUES ('new')")
      const creating = create({ tags: [{ name: "new" }] })
      const scrape = await lookUntil(service, "petstore_database_locks_waiting", (waiting) => waiting > 0)
      await other.query("ROLLBACK")
      await creating
      return [[scrape]]
    },
  },
  {
    when: "PostgreSQL replies late",
    fires: ["PetstoreSlow", "PetstoreConnectionsExhausted", "PetstoreCreatesWaiting"],
    async make(service) {
      const { proxy, send, create } = service
      proxy.delay(700)
      await times(5, (n) => send("GET", `/pet/${n + 1}`))
      const writing = [times(600, () => create()), times(20, (n) => create({}, `${n}`))]
      const scrape = await lookUntil(service, "petstore_database_inputs_waiting", (inputs) => inputs > 100)
      proxy.delay(0)
      await Promise.all(writing)
      return [[scrape]]
    },
  },
  {
    when: "PostgreSQL is stopped",
    fires: ["PetstoreUnavailable"],
    async make({ server, look, create }) {
      await server.stop("immediate")
      await times(50, () => create())
      const scrape = await look()
      await server.start()
      return [[scrape]]
    },
  },
]
