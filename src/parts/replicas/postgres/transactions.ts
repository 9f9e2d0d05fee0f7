// Decision: docs/decisions/storage-postgres.md#which-work-is-repeated

import { setTimeout as pause } from "node:timers/promises"
import { type ClientBase, Pool, type PoolClient } from "pg"
import { type Change, type Repositories, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import type { Counts } from "../../../core/kernel/measure.ts"
import { repositories } from "../../../core/sql/store.ts"
import { beginStatement, connectTimeoutMs, type SendQuery } from "./client.ts"
import { postgresConnection } from "./connection.ts"
import {
  isConflict,
  isConnectionLost,
  isLocked,
  toPostgresCommitError,
  toPostgresError,
  toStatementError,
  writeRefusalOf,
} from "./errors.ts"
import { HeldTransactions, shareOf } from "./held-transactions.ts"
import type { Primary } from "./primary.ts"
import type { Silence } from "./silence.ts"

const waitingMax = 1_000
const attemptsMax = 5
const pauseMs = 20

type Listener = (changes: ReadonlySet<Change>) => void
type Work<T> = (tx: Repositories, send: SendQuery) => Promise<T>
type State = { begin: string; mayHaveCommitted: boolean }
type Options = { isNamed: boolean; isProxied: boolean; connections: number; cancellations: Counts }

/** Runs transactions concurrently, each on its own connection. */
export class TransactionPool {
  readonly #primary: Primary
  readonly #silence: Silence
  readonly #pool: Pool
  readonly #options: Options
  readonly #held: HeldTransactions
  readonly #listeners = new Set<Listener>()
  readonly #running = new Set<Promise<unknown>>()
  /** Why writes fail, known from past ones. Every serving process writes a heartbeat, so this stays current. */
  refusal: string | undefined

  constructor(primary: Primary, silence: Silence, options: Options) {
    this.#primary = primary
    this.#silence = silence
    this.#pool = createPool(primary, options.connections)
    this.#options = options
    this.#held = new HeldTransactions(shareOf(options.connections))
  }

  /** While another transaction holds a row that it needs, it is tried again, at most with a share of the connections. */
  run<T>(work: Work<T>): Promise<T> {
    return this.#admit(() => this.#run(work).catch((error) => this.#runHeld(work, error)))
  }

  /** Waits this long for a lock (ms), and is not tried again after that. */
  runOnce<T>(work: Work<T>, lockMs: number): Promise<T> {
    return this.#admit(() => this.#run(work, lockMs))
  }

  /** Transactions that are tried again. */
  get held(): number {
    return this.#held.count
  }

  get connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  /** Calls the listener after every commit that made changes; returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves once all transactions have ended and all connections are closed. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    await this.#pool.end()
  }

  #admit<T>(run: () => Promise<T>): Promise<T> {
    if (this.#pool.waitingCount >= waitingMax)
      return Promise.reject(new StoreUnavailable("too many transactions are waiting"))
    const running = run()
      .catch((error: unknown) => {
        this.refusal = writeRefusalOf(error) ?? this.refusal
        throw error
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  #runHeld<T>(work: Work<T>, error: unknown): Promise<T> {
    if (!isLocked(error)) throw error
    return this.#held.run(() => this.#run(work))
  }

  /**
   * Retries when a concurrent transaction made this one fail, or the connection was lost before the COMMIT was sent. Nothing of
   * it is stored then: work has no effects except through its repositories and its result. After a COMMIT was sent its outcome
   * may be unknown, so it is never retried.
   */
  async #run<T>(work: Work<T>, lockMs?: number): Promise<T> {
    const begin = beginStatement(this.#options.isProxied, lockMs)
    for (let attempt = 1; ; attempt++) {
      const state = { begin, mayHaveCommitted: false }
      const client = await this.#connect()
      try {
        return await this.#attempt(client, work, state)
      } catch (error) {
        const mayRetry = isConflict(error) || (isConnectionLost(error) && !state.mayHaveCommitted)
        if (attempt === attemptsMax || !mayRetry) throw state.mayHaveCommitted ? toPostgresCommitError(error) : error
      }
      await pause(pauseMs * attempt * (0.5 + Math.random()))
    }
  }

  async #connect(): Promise<PoolClient> {
    this.#silence.refuse()
    try {
      for (;;) {
        const client = await this.#silence.listen(() => this.#primary.reach(() => this.#pool.connect()))
        if (this.#primary.isCurrent(client)) return client
        client.release(true)
      }
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  async #attempt<T>(client: PoolClient, work: Work<T>, state: State): Promise<T> {
    const changes = new Set<Change>()
    const transaction = holdClient(client, this.#silence, this.#options.cancellations)
    try {
      const { began, send } = beginWith(state.begin, transaction.send)
      const { isNamed } = this.#options
      const noteChange = (change: Change) => void changes.add(change)
      const value = await work(repositories(postgresConnection(send, { isNamed, noteChange })), send)
      await began
      state.mayHaveCommitted = true
      const { command } = await transaction.send({ text: "COMMIT" })
      if (command !== "COMMIT") throw new Error("the work went on after one of its statements had failed")
      transaction.release()
      this.refusal = undefined
      if (changes.size > 0) for (const listener of this.#listeners) listener(changes)
      return value
    } catch (error) {
      await transaction.abandon(isConnectionLost(error))
      throw error
    }
  }
}

function createPool(primary: Primary, max: number): Pool {
  // The pool calls it with `new`, which an arrow function does not support.
  function PresentClient() {
    return primary.createClient()
  }
  const pool = new Pool({
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    Client: PresentClient as unknown as new () => ClientBase,
    onConnect: (client) => primary.check(client),
  })
  // A lost connection fails its transaction; without one, there is nothing to report.
  return pool.on("error", () => {})
}

/** Sends reads together with the BEGIN. If that failed, what else is sent would be committed, so it waits for the reply. */
function beginWith(begin: string, sendNow: SendQuery): { began: Promise<unknown>; send: SendQuery } {
  let hasBegun = false
  const began = sendNow({ text: begin }).then(() => {
    hasBegun = true
  })
  began.catch(() => {})
  return {
    began,
    async send(query) {
      if (!hasBegun && !/^\s*SELECT\b/.test(query.text)) await began
      return sendNow(query)
    },
  }
}

/** A connection for one transaction; refuses statements after its end. */
function holdClient(client: PoolClient, silence: Silence, cancellations: Counts) {
  let hasEnded = false
  const send: SendQuery = async (query) => {
    if (hasEnded) throw new Error("the transaction has ended")
    try {
      return await silence.listen(() => client.query(query))
    } catch (error) {
      throw toStatementError(error, cancellations)
    }
  }
  return {
    send,
    release(): void {
      hasEnded = true
      client.release()
    },
    /** Rolls back; if that fails the connection is closed, and the server rolls back. */
    async abandon(isLost: boolean): Promise<void> {
      hasEnded = true
      const rolledBack = isLost ? undefined : await client.query("ROLLBACK").catch(() => undefined)
      client.release(rolledBack === undefined)
    },
  }
}
