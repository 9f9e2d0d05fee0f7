import { DatabaseSync } from "node:sqlite"
import { migrations } from "../../src/core/sql/migrations.ts"
import { applyMigrations } from "../../src/core/sqlite/schema.ts"
import { type Fate, type Fates, fates } from "./fates.ts"
import type { Schedule } from "./simulate.ts"
import { Socket, systemError } from "./socket.ts"
import { createRunner } from "./statements.ts"
import { createReader, greeting, type Reply, type Request, writeReply } from "./wire.ts"

/** The address of any simulated server. */
export const simulatedUrl = "postgres://simulated/petstore"

/** Copied, because migrating takes longer than a run. */
const empty = emptyDatabase()

function emptyDatabase(): Uint8Array {
  using db = new DatabaseSync(":memory:")
  applyMigrations(db)
  return db.serialize()
}

type Query = Extract<Request, { kind: "query" }>
type Transaction = { lockMs: number; hasFailed: boolean }
/** One that is gone does nothing more, and its transaction is rolled back when the client knows it too. */
type Session = { id: number; socket: Socket; lockMs: number; transaction?: Transaction | undefined; isGone: boolean }

/**
 * A server that speaks PostgreSQL's protocol on sockets in memory, and runs our statements on SQLite: open transactions
 * run one after the other, as if each locked everything, and SKIP LOCKED skips all rows while another one has or awaits that lock.
 * From `start` to `calm` the schedule decides in which order it does what it is asked for, and `fates` how that fails.
 */
export class SimulatedPostgres {
  readonly db = new DatabaseSync(":memory:")
  /** Whether anything failed, or waited in vain. */
  hasFailed = false
  /** Statements that left out rows because others had locked them. */
  skipped = 0
  readonly #schedule: Schedule
  readonly #fates: Fates
  readonly #run: ReturnType<typeof createRunner>
  readonly #lock = createLock()
  #isCalm = true
  #sessions = 0

  constructor(schedule: Schedule, fates: Fates) {
    this.#schedule = schedule
    this.#fates = fates
    this.db.deserialize(empty)
    this.#run = createRunner(this.db)
  }

  start(): void {
    this.#isCalm = false
  }

  calm(): void {
    this.#isCalm = true
  }

  [Symbol.dispose](): void {
    this.db.close()
  }

  /** For the option of the driver. */
  readonly stream = (): Socket => new Socket((socket) => this.#accept(socket))

  async #accept(socket: Socket): Promise<void> {
    const session: Session = { id: ++this.#sessions, socket, lockMs: 0, isGone: false }
    const isRefused = await this.#refuses(session)
    if (socket.destroyed) return
    if (isRefused) return void socket.destroy(systemError("ECONNREFUSED"))
    socket.open(
      createReader(),
      (request) => this.#serve(session, request),
      () => this.#end(session),
    )
  }

  async #refuses({ id }: Session): Promise<boolean> {
    if (this.#isCalm) return false
    await this.#schedule.turn(`connection ${id}`)
    const isRefused = this.#fates.connections.shift() === "is refused"
    this.hasFailed ||= isRefused
    return isRefused
  }

  async #serve(session: Session, request: Request): Promise<void> {
    if (session.isGone) return
    if (request.kind === "end") return this.#end(session)
    if (request.kind === "query") return this.#serveQuery(session, request)
    session.lockMs = Number(request.parameters.get("lock_timeout") ?? 0)
    session.socket.push(greeting(session.id))
  }

  async #serveQuery(session: Session, query: Query): Promise<void> {
    const { isDone, reply } = fates[await this.#nextFate(session, query)]
    const done: Reply = isDone ? await this.#perform(session, query) : { code: reply }
    if (reply === "cut") return this.#cut(session)
    if (reply === "none") {
      session.isGone = true
      return
    }
    const result = reply === "sent" ? done : { code: reply }
    const isEnd = "code" in result && /^(57P01|25P03)$/.test(result.code)
    if ("code" in result && session.transaction) this.#fail(session, session.transaction, query.text)
    session.socket.push(writeReply(query, result, isEnd ? "ended" : statusOf(session)))
    if (isEnd) this.#end(session)
  }

  async #nextFate({ id }: Session, { text }: Query): Promise<Fate> {
    if (this.#isCalm) return "is done"
    await this.#schedule.turn(`${text.trim().split("\n")[0]} on connection ${id}`)
    const { commits, statements } = this.#fates
    const fate = (text === "COMMIT" ? commits : statements).shift() ?? "is done"
    this.hasFailed ||= fate !== "is done"
    return fate
  }

  async #perform(session: Session, { text, values }: Query): Promise<Reply> {
    const { transaction } = session
    if (text.startsWith("BEGIN")) {
      const [, lockMs = session.lockMs] = /lock_timeout = (\d+)/.exec(text) ?? []
      session.transaction = { lockMs: Number(lockMs), hasFailed: false }
      return { tag: "BEGIN" }
    }
    if (text === "COMMIT" && !transaction?.hasFailed) return this.#finish(session, "COMMIT")
    if (text === "COMMIT" || text === "ROLLBACK") return this.#finish(session, "ROLLBACK")
    if (transaction?.hasFailed) return { code: "25P02" }
    return describeServer(text, session) ?? (await this.#runLocked(session, text, values))
  }

  async #runLocked(session: Session, text: string, values: Query["values"]): Promise<Reply> {
    const { transaction, lockMs } = session
    const skips = text.includes("SKIP LOCKED") && this.#lock.isWanted(session)
    if (skips) this.skipped++
    else if (!(await this.#lock.take(session, transaction?.lockMs ?? lockMs))) {
      this.hasFailed = true
      return { code: "55P03" }
    }
    try {
      if (transaction && !skips && !this.db.isTransaction) this.db.exec("BEGIN")
      return this.#run(text, values, skips)
    } catch (error) {
      return { code: codeOf(error) }
    } finally {
      if (!transaction) this.#lock.release(session)
    }
  }

  #finish(session: Session, command: "COMMIT" | "ROLLBACK"): Reply {
    if (this.#lock.isOf(session)) this.db.exec(command)
    this.#lock.release(session)
    session.transaction = undefined
    return { tag: command }
  }

  #fail(session: Session, transaction: Transaction, text: string): void {
    this.#finish(session, "ROLLBACK")
    if (text !== "COMMIT") session.transaction = { ...transaction, hasFailed: true }
  }

  #end(session: Session): void {
    this.#finish(session, "ROLLBACK")
    session.isGone = true
    session.socket.push(null)
  }

  #cut(session: Session): void {
    this.#finish(session, "ROLLBACK")
    session.isGone = true
    session.socket.destroy(systemError("ECONNRESET"))
  }
}

const statusOf = ({ transaction }: Session) => (!transaction ? "I" : transaction.hasFailed ? "E" : "T")

/** A lock for one session at a time, in the order of asking. */
function createLock() {
  let holder: Session | undefined
  const waiting: { session: Session; resolve(): void }[] = []
  return {
    isOf: (session: Session) => holder === session,
    /** Whether another session has it or waits for it. */
    isWanted: (session: Session) => (holder !== undefined && holder !== session) || waiting.length > 0,
    /** Whether the session has it after this time (ms; 0 for any). */
    take(session: Session, ms: number): Promise<boolean> {
      holder ??= session
      if (holder === session) return Promise.resolve(true)
      return new Promise((resolve) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(waiter), 1)
          resolve(false)
        }
        const timer = ms > 0 ? setTimeout(giveUp, ms) : undefined
        const waiter = {
          session,
          resolve() {
            clearTimeout(timer)
            resolve(true)
          },
        }
        waiting.push(waiter)
      })
    },
    release(session: Session): void {
      if (holder !== session) return
      const next = waiting.shift()
      holder = next?.session
      next?.resolve()
    },
  }
}

/** What a start asks for. */
function describeServer(text: string, { id }: Session): Reply | undefined {
  const rows = [
    [/pg_backend_pid/, { id, version: "PostgreSQL 17.0 (simulated)", encoding: "UTF8" }],
    [/to_regclass/, { exists: true }],
    [/^SELECT version FROM schema_version$/, { version: migrations.length }],
    [/^SELECT 1$/, { one: 1 }],
  ] as const
  const [, row] = rows.find(([pattern]) => pattern.test(text)) ?? []
  return row && { tag: "SELECT 1", table: { names: Object.keys(row), rows: [row] } }
}

/** SQLSTATE of SQLite's refusals. */
function codeOf(error: unknown): string {
  const { errcode } = error as { errcode?: number }
  if (errcode === 1555 || errcode === 2067) return "23505"
  if (errcode === 787) return "23503"
  throw error
}
