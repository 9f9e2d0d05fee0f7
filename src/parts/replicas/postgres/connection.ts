import { hash } from "node:crypto"
import type { QueryResult } from "pg"
import type { Change } from "../../../core/domain/ports/store.ts"
import { Damage } from "../../../core/sql/hashes/damage.ts"
import type { Row, SqlConnection, Statement } from "../../../core/sql/statement.ts"
import type { BatchedReads } from "./batched-reads.ts"
import type { SendQuery } from "./client.ts"
import { postgresDialect } from "./dialect.ts"

type Options = {
  isNamed: boolean
  noteChange?: (change: Change) => void
  batches?: BatchedReads
}

/** Runs statements through `send`; `isNamed` prepares each once on the server. */
export function postgresConnection(
  send: SendQuery,
  { isNamed, noteChange = () => {}, batches }: Options,
): SqlConnection {
  function execute(statement: unknown, values: Row): Promise<QueryResult> {
    const { name, text, bind } = prepare(statement as Statement<Row, unknown>)
    return send({ ...(isNamed && { name }), text, values: bind(values) })
  }

  /** Binds a list of values for each name. */
  function executeEach(statement: unknown, rows: readonly Row[]): Promise<QueryResult> {
    const { name, text } = prepare(statement as Statement<Row, unknown>)
    const { names } = statement as Statement<Row, unknown>
    return send({
      ...(isNamed && { name }),
      text,
      values: names.map((column) => rows.map((row) => toText(row[column]))),
    })
  }

  return {
    one: <Out>(statement: unknown, values: Row) => {
      const known = statement as Statement<Row, unknown>
      const first = async () => (await execute(known, values)).rows[0]
      return (batches?.takes(known, values) ? batches.read(known, values, first) : first()) as Promise<Out | undefined>
    },
    all: async <Out>(statement: unknown, values: Row) => (await execute(statement, values)).rows as Out[],
    run: async (statement, values) => (await execute(statement, values)).rowCount ?? 0,
    async exec(statement, values) {
      await execute(statement, values)
    },
    insert: async (statement, values) => (await execute(statement, values)).rows[0].id,
    runEach: executeEach,
    insertEach: async (statement, rows) => (await executeEach(statement, rows)).rows.map(({ id }) => id),
    noteChange,
    slots: postgresDialect.slots,
    damage: new Damage(),
  }
}

type Prepared = { name: string; text: string; bind: (values: Row) => unknown[] }

const prepared = new Map<Statement<Row, unknown>, Prepared>()

/** The name is a hash of the text, so that it means the same on every connection and in every version. */
function prepare(statement: Statement<Row, unknown>): Prepared {
  const known = prepared.get(statement)
  if (known) return known
  const text = statement.text(postgresDialect)
  const { names, lists } = statement
  const bind = (values: Row) =>
    names.map((name, n) => (lists.has(n) ? JSON.parse(String(values[name])).map(toText) : toText(values[name])))
  const fresh = { name: `petstore_${hash("sha256", text).slice(0, 16)}`, text, bind }
  prepared.set(statement, fresh)
  return fresh
}

/** Text in PostgreSQL cannot contain NUL, and neither do stored values, so such a lookup finds nothing. */
const toText = <T>(value: T): T | string =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value
