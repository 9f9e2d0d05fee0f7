import type { Client, ClientConfig, QueryConfig, QueryResult } from "pg"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import type { Counts } from "../../../core/kernel/measure.ts"
import { isConnectionLost, toPostgresError, toStatementError } from "./errors.ts"
import type { Primary } from "./primary.ts"
import type { Silence } from "./silence.ts"

const waitingMax = 10_000
const attemptsMax = 3

type Options = { connections: number; cancellations: Counts }
/** A slot for one connection, and the number of replies due on it. */
type Reader = { opening: Promise<Client> | undefined; client: Client | undefined; waiting: number }

/** Connections for reads outside of transactions; queries are sent without waiting for earlier replies. */
export class Readers {
  readonly #primary: Primary
  readonly #silence: Silence
  readonly #bounds: ClientConfig
  readonly #readers: Reader[]
  readonly #cancellations: Counts
  #waiting = 0
  #isClosed = false

  constructor(primary: Primary, silence: Silence, bounds: ClientConfig, { connections, cancellations }: Options) {
    this.#primary = primary
    this.#silence = silence
    this.#bounds = bounds
    this.#readers = Array.from({ length: connections }, () => ({ opening: undefined, client: undefined, waiting: 0 }))
    this.#cancellations = cancellations
  }

  get connections(): { busy: number; idle: number } {
    const open = this.#readers.filter(({ client }) => client !== undefined)
    const busy = open.filter(({ waiting }) => waiting > 0).length
    return { busy, idle: open.length - busy }
  }

  /** Retries over another connection when one is lost: reading changes nothing. */
  send = async (query: QueryConfig): Promise<QueryResult> => {
    this.#silence.refuse()
    if (this.#waiting >= waitingMax) throw new StoreUnavailable("too many reads are waiting")
    this.#waiting++
    try {
      for (let attempt = 1; ; attempt++) {
        const reader = this.#leastBusy()
        const client = await this.#silence.listen(() => this.#open(reader))
        try {
          return await this.#silence.listen(() => this.#sendTo(reader, client, query))
        } catch (error) {
          if (isConnectionLost(error)) discard(reader, client)
          if (attempt === attemptsMax || !isConnectionLost(error)) throw error
        }
      }
    } finally {
      this.#waiting--
    }
  }

  /** Closes every connection after its replies. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#readers.map(async ({ opening }) => (await opening?.catch(() => undefined))?.end()))
  }

  async #sendTo(reader: Reader, client: Client, query: QueryConfig): Promise<QueryResult> {
    reader.waiting++
    try {
      return await client.query(query)
    } catch (error) {
      throw toStatementError(error, this.#cancellations)
    } finally {
      reader.waiting--
    }
  }

  #leastBusy(): Reader {
    return this.#readers.reduce((least, reader) => (reader.waiting < least.waiting ? reader : least))
  }

  async #open(reader: Reader): Promise<Client> {
    if (this.#isClosed) throw new StoreUnavailable("the database is closed")
    if (reader.client && !this.#primary.isCurrent(reader.client)) discard(reader, reader.client)
    reader.opening ??= this.#connect(reader)
    return reader.opening
  }

  async #connect(reader: Reader): Promise<Client> {
    try {
      const client = await this.#primary.connect(this.#bounds)
      client.on("error", () => discard(reader, client))
      reader.client = client
      return client
    } catch (error) {
      reader.opening = undefined
      throw toPostgresError(error)
    }
  }
}

/** Makes space for a new connection. */
function discard(reader: Reader, client: Client): void {
  if (reader.client !== client) return
  reader.client = undefined
  reader.opening = undefined
  void client.end().catch(() => {})
}
