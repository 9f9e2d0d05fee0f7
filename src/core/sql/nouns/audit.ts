import { hash as hashOf } from "node:crypto"
import type { AuditFilter, NewEntry } from "../../domain/audit/model.ts"
import { composeEntry } from "../../domain/audit/rules.ts"
import type { AuditStore } from "../../domain/audit/store.ts"
import { pageOf } from "../../kernel/endpoint/page.ts"
import type { Json } from "../../kernel/json/json.ts"
import { idMax } from "../../kernel/schema/schema.ts"
import { type PageRow, theRow } from "../rows.ts"
import { type Fragment, forUpdate, fragment, type None, type SqlConnection, sql } from "../statement.ts"

type Head = { last: number; hash: string }

const lockHead = sql<None, Head>`SELECT last, hash FROM audit_head WHERE id = 1 ${forUpdate}`

const moveHead = sql<Head>`UPDATE audit_head SET last = ${"last"}, hash = ${"hash"} WHERE id = 1`

type Searched = { action: string; principal: string; account: number | undefined; thing: string | undefined }

const add = sql<EntryRow & Searched & { at: number }>`
  INSERT INTO audit (id, at, action, principal, account, thing, json, hash)
  VALUES (${"id"}, ${"at"}, ${"action"}, ${"principal"}, ${"account"}, ${"thing"}, ${"json"}, ${"hash"})`

type EntryRow = { id: number; json: string; hash: string }
type ListRow = PageRow & { from: number; account?: number; principal?: string; action?: string; thing?: string }

const listWhere = (condition: Fragment<ListRow>) => sql<ListRow, EntryRow>`
  SELECT id, json, hash FROM audit WHERE ${condition} id < ${"before"} AND id >= ${"from"}
  ORDER BY id DESC LIMIT ${"limit"}`

const listAll = listWhere(fragment``)
const listBy = {
  account: listWhere(fragment`account = ${"account"} AND`),
  principal: listWhere(fragment`principal = ${"principal"} AND`),
  action: listWhere(fragment`action = ${"action"} AND`),
  thing: listWhere(fragment`thing = ${"thing"} AND`),
}

const stretch = sql<{ from: number; limit: number }, EntryRow>`
  SELECT id, json, hash FROM audit WHERE id >= ${"from"} ORDER BY id LIMIT ${"limit"}`

// One statement, because a service may append meanwhile.
const end = sql<None, { last: number; hash: string; actual: string | null }>`
  SELECT last, audit_head.hash, audit.hash AS "actual" FROM audit_head LEFT JOIN audit ON audit.id = last`

const firstSince = sql<{ since: number }, { id: number }>`
  SELECT id FROM audit WHERE at >= ${"since"} ORDER BY at, id LIMIT 1`

const lastBefore = sql<{ at: number }, { id: number }>`
  SELECT id FROM audit WHERE at < ${"at"} ORDER BY at DESC, id DESC LIMIT 1`

const oldest = sql<{ limit: number }, { id: number; at: number; hash: string }>`
  SELECT id, at, hash FROM audit ORDER BY id LIMIT ${"limit"}`

const removeOldest = sql<{ limit: number }>`
  DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ${"limit"})`

export const auditStore = (db: SqlConnection): AuditStore => ({
  async append(entries, at) {
    let head = await theRow(db, lockHead, {})
    for (const entry of entries) head = await appendAfter(db, head, entry, at)
    await db.run(moveHead, { last: head.last, hash: head.hash })
  },

  async list(filter, { before = idMax, limit }) {
    const { from, to } = await stretchOf(db, filter)
    const [name, value] = filter.by ?? []
    const bounds = { from, before: Math.min(before, to + 1), limit: limit + 1 }
    const rows = await (name ? db.all(listBy[name], { ...bounds, [name]: value }) : db.all(listAll, bounds))
    return pageOf(rows, limit, ({ json, hash }) => `${json.slice(0, -1)},"hash":"${hash}"}` as Json<never>)
  },

  async examine(after, limit) {
    const rows = await db.all(stretch, { from: after, limit: limit + 1 })
    const first = rows[0]?.id === after ? 1 : 0
    const examined = rows.slice(first, first + limit)
    const damaged = examined.filter((row, n) => !isIntact(row, rows[first + n - 1])).map(({ id }) => id)
    if (examined.length === limit) return { damaged, last: examined.at(-1)?.id }
    const { last, hash, actual } = await theRow(db, end, {})
    if ((actual ?? hash) !== hash) damaged.push(last)
    return { damaged, last: undefined }
  },

  async prune(before, limit) {
    const rows = await db.all(oldest, { limit })
    const kept = rows.findIndex(({ at }) => at >= before)
    const going = kept === -1 ? rows : rows.slice(0, kept)
    const last = going.at(-1)
    if (!last) return undefined
    await db.run(removeOldest, { limit: going.length })
    return { through: last.id, hash: last.hash, count: going.length }
  },
})

/** An entry matches its hash, and continues the one before it unless that was removed. */
function isIntact({ id, json, hash }: EntryRow, before: EntryRow | undefined): boolean {
  if (hashOf("sha256", String(json)) !== hash) return false
  return before === undefined || (id === before.id + 1 && JSON.parse(json).previous === before.hash)
}

async function appendAfter(
  db: SqlConnection,
  { last, hash: previous }: Head,
  entry: NewEntry,
  at: number,
): Promise<Head> {
  const id = last + 1
  const json = composeEntry(entry, { id, at, previous })
  const hash = hashOf("sha256", json)
  const { action, principal, account, thing } = entry
  await db.run(add, { id, at, action, principal, account, thing, json, hash })
  return { last: id, hash }
}

/** The ids of the entries between two times, inclusive. */
async function stretchOf(db: SqlConnection, { since, until }: AuditFilter): Promise<{ from: number; to: number }> {
  const first = since === undefined ? { id: 1 } : await db.one(firstSince, { since })
  const last = until === undefined ? { id: idMax - 1 } : await db.one(lastBefore, { at: until })
  return { from: first?.id ?? idMax, to: last?.id ?? 0 }
}
