// Decision: docs/decisions/storage-postgres.md#the-writable-host-is-found-by-show-transaction_read_only

import { Client, type ClientBase, type ClientConfig } from "pg"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"

const probeTimeoutMs = 2_000
const pauseMs = 250

/**
 * The one of several hosts that accepts writes. Connections go to the host found last; when it fails or becomes read-only, the
 * first host in the list that accepts writes replaces it. A single host is not checked.
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

  /** An unconnected client for the current host. */
  createClient(url = this.#url, bounds: ClientConfig = {}): Client {
    const client = new Client({ ...this.#config, ...bounds, connectionString: url })
    client.on("error", () => {})
    this.#urlOf.set(client, url)
    return client
  }

  isCurrent(client: ClientBase): boolean {
    return this.#urlOf.get(client) === this.#url
  }

  /** A client connected to the host that accepts writes. */
  connect(bounds: ClientConfig = {}): Promise<Client> {
    return this.reach(async () => {
      const client = this.createClient(this.#url, bounds)
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

  /** Rejects with StoreUnavailable when the client's host accepts no writes. */
  async check(client: ClientBase): Promise<void> {
    if (this.#urls.length > 1 && !(await takesWrites(client))) throw new StoreUnavailable("no host takes writes")
  }

  /** Connects with this function; retries after a failure when another host accepts writes. */
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

  /** Probes all hosts at once and takes the first in list order, so that all processes prefer the same. */
  async #find(): Promise<void> {
    const probes = this.#urls.map((url) => ({ url, isPrimary: this.#probe(url) }))
    for (const { url, isPrimary } of probes)
      if (await isPrimary) {
        this.#url = url
        return
      }
  }

  async #probe(url: string): Promise<boolean> {
    const client = this.createClient(url, { connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs })
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

/** On for a standby, or set by the operator; compatible engines support this session variable. */
const takesWrites = async (client: ClientBase): Promise<boolean> =>
  (await client.query("SHOW transaction_read_only")).rows[0].transaction_read_only === "off"
