import type { DatabaseSync, StatementSync } from "node:sqlite"
import { type Change, OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import { Damage } from "../sql/hashes/damage.ts"
import type { TextMemory } from "../sql/pages/text-memory.ts"
import { type RestRow, restOfTexts } from "../sql/pages/texts.ts"
import type { LabelMemory } from "../sql/pets/label-memory.ts"
import type { Row, SqlConnection, Statement } from "../sql/statement.ts"
import { sqliteDialect } from "./dialect.ts"
import type { SnapshotMemory } from "./snapshot-memory.ts"

type Hooks = {
  beforeEach?: () => void
  noteChange?: (change: Change) => void
  /** Receives the number of rows that a statement changed. */
  noteWritten?: (rows: number) => void
  labels?: LabelMemory
  /** Caches rows of hot statements; its owner clears it before they change. */
  memory?: SnapshotMemory
  /** Makes pages of texts that it knows; its owner lets it forget those that change. */
  texts?: TextMemory
  noteText?: SqlConnection["noteText"]
}

/** Runs statements on one SQLite handle, each prepared once. */
export function sqliteConnection(
  db: DatabaseSync,
  { beforeEach = () => {}, noteChange = () => {}, noteWritten = () => {}, labels, memory, texts, noteText }: Hooks,
): SqlConnection {
  const prepared = new Map<Statement<Row, unknown>, Prepared>()

  function prepare(statement: Statement<Row, unknown>): Prepared {
    const known = prepared.get(statement)
    if (known) return known
    const text = statement.text(sqliteDialect)
    const fresh = { ready: db.prepare(text), isWriting: !/^\s*SELECT\b/.test(text) }
    prepared.set(statement, fresh)
    return fresh
  }

  /** Synchronous, so that callers with nothing else to await do not wait. */
  function execute<T>(statement: unknown, values: Row, { use, count }: Use<T>): T {
    const known = statement as Statement<Row, unknown>
    try {
      beforeEach()
      const { ready, isWriting } = prepare(known)
      const bound = known.names.map((name) => values[name] ?? null)
      const result = use(ready, bound)
      if (isWriting) noteWritten(count(result))
      return result
    } catch (error) {
      throw toSqliteError(error)
    }
  }

  function recall(memory: SnapshotMemory, statement: unknown, values: Row): unknown {
    const key = keyOf(values)
    const known = memory.find(statement, key)
    if (known !== undefined) return known
    const row = readPage(statement as Statement<Row, unknown>, values) ?? execute(statement, values, get)
    if (row !== undefined) memory.offer(statement, key, row as Row)
    return row
  }

  const readPage = ({ page }: Statement<Row, unknown>, values: Row): unknown =>
    page &&
    texts?.page(page, values, {
      walk: (values) => (execute(page.walk, values, get) as { ids: string | null } | undefined)?.ids,
      rest: (values) => execute(restOfTexts[page.table], values, all) as RestRow[],
    })

  return {
    one: <Out>(statement: unknown, values: Row) =>
      (memory && (statement as { isHot?: boolean }).isHot
        ? recall(memory, statement, values)
        : execute(statement, values, get)) as Out | undefined,
    all: <Out>(statement: unknown, values: Row) => execute(statement, values, all) as Out[],
    run: (statement, values) => execute(statement, values, run),
    async exec(statement, values) {
      execute(statement, values, run)
    },
    insert: (statement, values) => execute(statement, values, insert),
    runEach(statement, rows) {
      for (const values of rows) execute(statement, values, run)
    },
    insertEach: (statement, rows) =>
      rows.map((values) => execute(statement, values, insertFree)).filter((id) => id !== undefined),
    noteChange,
    noteText,
    slots: sqliteDialect.slots,
    labels,
    damage: new Damage(),
  }
}

function keyOf(values: Row): Row[string] {
  const [only, ...others] = Object.values(values)
  return others.length === 0 ? (only as Row[string]) : JSON.stringify(values)
}

type Bound = Exclude<Row[string], undefined>[]

type Prepared = { ready: StatementSync; isWriting: boolean }

/** Runs a prepared statement; `count` is the number of rows that a statement with this result changed. */
type Use<T> = { use: (ready: StatementSync, bound: Bound) => T; count: (result: T) => number }

const get: Use<unknown> = { use: (ready, bound) => ready.get(...bound), count: (row) => (row === undefined ? 0 : 1) }
const all: Use<unknown[]> = { use: (ready, bound) => ready.all(...bound), count: (rows) => rows.length }
const run: Use<number> = { use: (ready, bound) => Number(ready.run(...bound).changes), count: (rows) => rows }
const insert: Use<number> = { use: (ready, bound) => Number(ready.run(...bound).lastInsertRowid), count: () => 1 }
const insertFree: Use<number | undefined> = {
  use: (ready, bound) => {
    const { changes, lastInsertRowid } = ready.run(...bound)
    return changes === 0 ? undefined : Number(lastInsertRowid)
  },
  count: (id) => (id === undefined ? 0 : 1),
}

/** Primary result codes (sqlite.org/rescode.html) for failures of the machine, not bugs. */
const unavailable = new Map([
  [5, "the database is busy"],
  [7, "out of memory"],
  [8, "the database is read-only"],
  [10, "the disk reported an error"],
  [11, "the database file is damaged"],
  [13, "the disk is full"],
  [14, "the database file cannot be opened"],
  [26, "the database file is not a database"],
])

/** StoreUnavailable for failures of the machine; any other error unchanged, as a bug. */
export function toSqliteError(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode
  const reason = code === undefined ? undefined : unavailable.get(code & 0xff)
  return reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
}

/**
 * The error of a COMMIT, with its outcome. After an I/O error (10) SQLite rolls back and overwrites the log with the next
 * commit. If the process ends before that and the log is complete, the next start recovers the commit.
 */
export function toSqliteCommitError(error: unknown): unknown {
  const known = toSqliteError(error)
  const isOfDisk = ((error as { errcode?: number }).errcode ?? 0) % 256 === 10
  return isOfDisk ? new OutcomeUnknown((known as StoreUnavailable).message, { cause: error }) : known
}
