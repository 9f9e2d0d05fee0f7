import { Client, type ClientBase, type ClientConfig } from "pg"
import { StoreUnavailable } from "../../domain/ports/store.ts"

/** How long each host has to say whether it takes writes, and how long it is not asked again when none does. */
const probeTimeoutMs = 2_000
const pauseMs = 250

/**
 * The one of several hosts that takes writes. All connections go to the host found last; when that cannot be connected to, or takes
 * writes no more, the first in the list that does takes its place. A single host is taken as it is.
 */
export class Primary {
  readonly #config: ClientConfig
  readonly #urls: readonly string[]
  readonly #urlOf = new WeakMap<ClientBase, string>()
  #url: string
  #searching: Promise<void> | undefined
  #searchedAt = Number.NEGATIVE_INFINITY

  constructor(urls: readonly string[], config: ClientConfig) {
    this.#config = config
    this.#urls = urls
    this.#url = urls[0] as string
  }

  /** A client of the present host, not connected yet. */
  createClient(): Client {
    const client = new Client({ ...this.#config, connectionString: this.#url })
    client.on("error", () => {})
    this.#urlOf.set(client, this.#url)
    return client
  }

  /** Whether the connection leads to the present host. */
  isCurrent(client: ClientBase): boolean {
    return this.#urlOf.get(client) === this.#url
  }

  /** A client connected to the host that takes writes. */
  connect(): Promise<Client> {
    return this.reach(async () => {
      const client = this.createClient()
      try {
        await client.connect()
        await this.check(client)
        return client
      } catch (error) {
        void client.end().catch(() => {})
        throw error
      }
    })
  }

  /** Rejects with StoreUnavailable when a connected client's host takes no writes. */
  async check(client: ClientBase): Promise<void> {
    if (this.#urls.length > 1 && !(await takesWrites(client))) throw new StoreUnavailable("no host takes writes")
  }

  /** Connects with this function, and again when that fails while another host takes writes. */
  async reach<T>(connect: () => Promise<T>): Promise<T> {
    const tried = this.#url
    try {
      return await connect()
    } catch (error) {
      if (this.#url === tried) await this.#search()
      if (this.#url === tried) throw error
      return await connect()
    }
  }

  async #search(): Promise<void> {
    if (this.#urls.length === 1 || performance.now() < this.#searchedAt + pauseMs) return
    this.#searching ??= this.#find().finally(() => {
      this.#searchedAt = performance.now()
      this.#searching = undefined
    })
    await this.#searching
  }

  /** Asks all at once, and waits for their answers in the order of the list, so that all processes prefer the same. */
  async #find(): Promise<void> {
    const asked = this.#urls.map((url) => ({ url, isPrimary: this.#probe(url) }))
    for (const { url, isPrimary } of asked)
      if (await isPrimary) {
        this.#url = url
        return
      }
  }

  async #probe(connectionString: string): Promise<boolean> {
    const bounds = { connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs }
    const client = new Client({ ...this.#config, ...bounds, connectionString })
    client.on("error", () => {})
    try {
      await client.connect()
      return await takesWrites(client)
    } catch {
      return false
    } finally {
      void client.end().catch(() => {})
    }
  }
}

/** On in a standby, and where the operator made it so; a session variable that engines which speak PostgreSQL's protocol know. */
const takesWrites = async (client: ClientBase): Promise<boolean> =>
  (await client.query("SHOW transaction_read_only")).rows[0].transaction_read_only === "off"
