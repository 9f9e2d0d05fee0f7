// Decision: docs/decisions/operator.md#a-damaged-record-is-refused

import { hash as sha256 } from "node:crypto"
import { type HashedKind, type HashStore, hashedKinds } from "../../domain/ports/hashes.ts"
import { DamagedRecord } from "../../domain/ports/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { forUpdate, integers, type SqlConnection, type Statement, sql, word } from "../statement.ts"
import { textIn, textOf } from "./columns.ts"
import { etagOf, hashOf } from "./hash-of.ts"
import { type Replace, replacementIn } from "./replacement.ts"
import { type HashedTable, hashedTables } from "./tables.ts"

/** A record; of a deleted user no text is left. */
type HashedRow = { id: number; json: string | null; hash: string | null }

type TableStatements = {
  stretch: Statement<{ after: number; limit: number }, HashedRow>
  these: Statement<{ ids: string }, HashedRow>
  lock: Statement<{ id: number }, never>
  setHash: Statement<{ id: number; hash: string }, never>
  replace: Replace
}

const statementsOf = (described: HashedTable): TableStatements => {
  const [table, hash, text] = [word(described.name), word(described.hash), textIn(described)]
  return {
    stretch: sql<{ after: number; limit: number }, HashedRow>`
      SELECT id, ${text} AS "json", ${hash} AS "hash" FROM ${table} WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`,
    these: sql<{ ids: string }, HashedRow>`
      SELECT id, ${text} AS "json", ${hash} AS "hash" FROM ${table} WHERE id IN (${integers("ids")})`,
    lock: sql<{ id: number }>`SELECT id FROM ${table} WHERE id = ${"id"} ${forUpdate}`,
    setHash: sql<{ id: number; hash: string }>`UPDATE ${table} SET ${hash} = ${"hash"} WHERE id = ${"id"}`,
    replace: replacementIn(described),
  }
}

const tables = Object.fromEntries(hashedKinds.map((kind) => [kind, statementsOf(hashedTables[kind])])) as Record<
  HashedKind,
  TableStatements
>

/** How a text becomes the hash of its kind. */
const hashesOf: Partial<Record<HashedKind, (text: string) => string>> = {
  pets: etagOf,
  audit: (text) => sha256("sha256", text),
}

const hashOfKind = (kind: HashedKind, text: string): string => (hashesOf[kind] ?? hashOf)(text)

const isDamaged = (kind: HashedKind, { json, hash }: HashedRow): boolean =>
  json !== null && hash !== null && hashOfKind(kind, textOf(hashedTables[kind], String(json))) !== hash

export const hashStore = (db: SqlConnection): HashStore => ({
  async examine(kind, after, limit) {
    const rows = await db.all(tables[kind].stretch, { after, limit })
    const damaged = rows.filter((row) => isDamaged(kind, row)).map(({ id }) => id)
    for (const id of damaged) db.damage.note(kind, id)
    return { damaged, withoutHash: withoutHash(rows).length, last: rows.length === limit ? rows.at(-1)?.id : undefined }
  },
  async fill(kind, after, limit) {
    for (const { id } of withoutHash(await db.all(tables[kind].stretch, { after, limit }))) {
      // A request may have changed it since it was read.
      await db.one(tables[kind].lock, { id })
      await storeHash(db, kind, id, "if-missing")
    }
  },
  async read(kind, id) {
    const row = await readRow(db, kind, id)
    return row && row.json !== null && row.hash !== null
      ? { json: textOf(hashedTables[kind], String(row.json)), hash: row.hash }
      : undefined
  },
  isIntact: (kind, { json, hash }) => hashOfKind(kind, json) === hash,
  replace(kind, id, text) {
    if (kind === "pets") db.noteText?.("pets", id)
    // Readers keep orders with the names of their user and account.
    if (kind === "orders" || kind === "users" || kind === "accounts") db.noteText?.("orders")
    return tables[kind].replace(db, id, text)
  },
})

/** Stores the hash of a record as it is, after each change of columns that the hash is of. */
export async function storeHash(db: SqlConnection, kind: HashedKind, id: number, which?: "if-missing"): Promise<void> {
  const row = await readRow(db, kind, id)
  if (!row || row.json === null || (which === "if-missing" && row.hash !== null)) return
  await db.run(tables[kind].setHash, { id, hash: hashOfKind(kind, textOf(hashedTables[kind], String(row.json))) })
}

const readRow = (db: SqlConnection, kind: HashedKind, id: number) =>
  db.one(tables[kind].these, { ids: JSON.stringify([id]) })

const withoutHash = (rows: readonly HashedRow[]) => rows.filter(({ json, hash }) => json !== null && hash === null)

/** The page, unless it has a record that was found damaged and is not repaired: then it throws DamagedRecord. */
export const refuseDamaged = <Page extends { json: string }>(
  db: SqlConnection,
  kind: "pets" | "orders",
  page: Awaitable<Page>,
): Awaitable<Page> =>
  db.damage.idsOf(kind).size === 0 ? page : andThen(db, page, (db, page) => requireIntactPage(db, kind, page))

async function requireIntactPage<Page extends { json: string }>(
  db: SqlConnection,
  kind: HashedKind,
  page: Page,
): Promise<Page> {
  const noted = [...db.damage.idsOf(kind)]
  const rows = await db.all(tables[kind].these, { ids: JSON.stringify(noted) })
  const damaged = new Map(rows.filter((row) => isDamaged(kind, row)).map(({ id, json }) => [id, String(json)]))
  for (const id of noted) if (!damaged.has(id)) db.damage.forget(kind, id)
  // By its text, because the damage may be in the id, or in what makes it JSON.
  for (const [id, json] of damaged) if (page.json.includes(json)) throw new DamagedRecord(kind, id)
  return page
}
