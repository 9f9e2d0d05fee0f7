import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { makePrivateDirectory } from "../disk/private.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { type CopySource, type CopyTarget, noteTables, setCounter } from "../sql/copying.ts"
import { requireNewest } from "../sql/migrations.ts"
import type { RawDatabase, Table, Value } from "../sql/tables.ts"
import { sqliteDialect } from "./dialect.ts"
import { lockDatabase } from "./lock.ts"
import { applyMigrations, readSqliteVersion } from "./schema.ts"
import { makeUnfinished, readUnfinished } from "./unfinished.ts"
import { toSqliteStartError } from "./unusable.ts"

/** Opens a database to copy from, which no service may use. Throws CannotStart. */
export function openSqliteSource(file: string): CopySource {
  if (!existsSync(file)) throw new CannotStart(`There is no database at ${file}`)
  const { db, raw, close } = open(file, { readOnly: true })
  try {
    requireNewest(readSqliteVersion(db), file)
  } catch (error) {
    close()
    throw error
  }
  return {
    ...raw,
    async ids() {
      const read = async (query: string) =>
        new Map((await raw.query(query)).map(([name, last]) => [String(name), last as bigint]))
      return {
        counters: await read("SELECT name, last FROM counters"),
        generated: await read("SELECT name, seq FROM sqlite_sequence"),
      }
    },
    [Symbol.asyncDispose]: async () => close(),
  }
}

/** Opens a new database to fill from this source, or one that an interrupted copy of it left. Throws CannotStart. */
export async function openSqliteTarget(file: string, source: string, tables: readonly Table[]): Promise<CopyTarget> {
  makePrivateDirectory(dirname(file))
  if (readUnfinished(file) !== source) {
    if (statSync(file, { throwIfNoEntry: false })?.size) throw new CannotStart(`${file} is there already`)
    makeUnfinished(file, source)
  }
  const { db, raw, close } = open(file, {})
  db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'copied'").get() === undefined)
    await raw.transaction(async () => {
      applyMigrations(db)
      await noteTables(raw, tables)
    })
  return {
    ...raw,
    async setIds({ counters, generated }) {
      for (const [name, last] of counters) await setCounter(raw, name, last)
      await raw.query("DELETE FROM sqlite_sequence")
      for (const [name, last] of generated)
        await raw.query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [name, last])
    },
    setVersion: async (version) => db.exec(`DROP TABLE unfinished; PRAGMA user_version = ${version}`),
    [Symbol.asyncDispose]: async () => close(),
  }
}

function open(file: string, options: { readOnly?: boolean }) {
  const unlock = lockDatabase(file)
  try {
    const db = new DatabaseSync(file, options)
    const close = () => {
      db.close()
      unlock()
    }
    return { db, raw: rawDatabase(db, file), close }
  } catch (error) {
    unlock()
    throw toSqliteStartError(file, error)
  }
}

function rawDatabase(db: DatabaseSync, file: string): RawDatabase {
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const known = prepared.get(text)
    if (known) return known
    const fresh = db.prepare(text)
    fresh.setReadBigInts(true)
    fresh.setReturnArrays(true)
    prepared.set(text, fresh)
    return fresh
  }
  return {
    dialect: sqliteDialect,
    async query(text, values = []) {
      try {
        return prepare(text).all(...values) as unknown as Value[][]
      } catch (error) {
        throw toSqliteStartError(file, error)
      }
    },
    async transaction(work) {
      db.exec("BEGIN IMMEDIATE")
      try {
        await work()
        db.exec("COMMIT")
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK")
        throw error
      }
    },
  }
}
