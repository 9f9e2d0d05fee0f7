// Decision: docs/decisions/operator.md#a-damaged-record-is-refused

import { hash as sha256 } from "node:crypto"
import type { HashedKind, HashedText, HashStore } from "../../domain/ports/hashes.ts"
import { DamagedRecord } from "../../domain/ports/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { integers, type SqlConnection, sql, word } from "../statement.ts"
import { etagOf, hashOf } from "./hash-of.ts"

/** A record; of a deleted user no text is left. */
type HashedRow = { id: number; json: string | null; hash: string | null }

/** A table with texts in `json` and their hashes in another column; `noun` begins a sentence. */
const hashedTable = (noun: string, name: string, column: string, hashOf: (text: string) => string) => {
  const [table, hash] = [word(name), word(column)]
  return {
    noun,
    hashOf,
    stretch: sql<{ after: number; limit: number }, HashedRow>`
      SELECT id, json, ${hash} AS "hash" FROM ${table} WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`,
    these: sql<{ ids: string }, HashedRow>`
      SELECT id, json, ${hash} AS "hash" FROM ${table} WHERE id IN (${integers("ids")})`,
    replace: sql<HashedText & { id: number }>`
      UPDATE ${table} SET json = ${"json"}, ${hash} = ${"hash"} WHERE id = ${"id"}`,
    // A request may have changed it since it was read.
    fill: sql<HashedText & { id: number }>`
      UPDATE ${table} SET ${hash} = ${"hash"} WHERE id = ${"id"} AND json = ${"json"} AND ${hash} IS NULL`,
  }
}

const tables = {
  pets: hashedTable("Pet", "pets", "etag", etagOf),
  orders: hashedTable("Order", "orders", "text_hash", hashOf),
  users: hashedTable("User", "users", "text_hash", hashOf),
  events: hashedTable("Event", "events", "text_hash", hashOf),
  audit: hashedTable("Entry", "audit", "hash", (text) => sha256("sha256", text)),
} satisfies Record<HashedKind, object>

const isDamaged = (kind: HashedKind, { json, hash }: HashedRow): boolean =>
  json !== null && hash !== null && tables[kind].hashOf(String(json)) !== hash

export const hashStore = (db: SqlConnection): HashStore => ({
  async examine(kind, after, limit) {
    const rows = await db.all(tables[kind].stretch, { after, limit })
    const damaged = rows.filter((row) => isDamaged(kind, row)).map(({ id }) => id)
    for (const id of damaged) db.damage.note(kind, id)
    const withoutHash = rows.filter(({ json, hash }) => json !== null && hash === null).length
    return { damaged, withoutHash, last: rows.length === limit ? rows.at(-1)?.id : undefined }
  },
  async fill(kind, after, limit) {
    const { hashOf, stretch, fill } = tables[kind]
    for (const { id, json, hash } of await db.all(stretch, { after, limit }))
      if (json !== null && hash === null) await db.run(fill, { id, json, hash: hashOf(json) })
  },
  async read(kind, id) {
    const row = await db.one(tables[kind].these, { ids: JSON.stringify([id]) })
    return row && row.json !== null && row.hash !== null ? { json: String(row.json), hash: row.hash } : undefined
  },
  isIntact: (kind, { json, hash }) => tables[kind].hashOf(json) === hash,
  replace(kind, id, text) {
    if (kind === "pets") db.noteText?.("pets", id)
    // Readers keep orders with the name of their user.
    if (kind === "orders" || kind === "users") db.noteText?.("orders")
    return db.exec(tables[kind].replace, { id, ...text })
  },
})

/** The page, unless it has a record that was found damaged and is not repaired: then it throws DamagedRecord. */
export const refuseDamaged = <Page extends { json: string }>(
  db: SqlConnection,
  kind: HashedKind,
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
  for (const [id, json] of damaged) if (page.json.includes(json)) throw new DamagedRecord(tables[kind].noun, id)
  return page
}
