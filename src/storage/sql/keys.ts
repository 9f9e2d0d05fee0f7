import type { Account, Plan } from "../../domain/accounts/contract.ts"
import type { Key } from "../../domain/keys/contract.ts"
import type { KeyStore } from "../../domain/keys/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import { pageOf } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"
import { type Connection, forUpdate, sql } from "./statement.ts"

type NewKeyRow = {
  accountId: number
  name: string
  scopes: string
  hash: string
  allowedCidrs: string
  createdAt: number
  expiresAt: number | null
}
type KeyRow = NewKeyRow & { id: number; rotatedAt: number | null; lastUsedAt: number | null }

const add = sql<NewKeyRow, { id: number }>`
  INSERT INTO keys (account_id, name, scopes, hash, allowed_cidrs, created_at, expires_at)
  VALUES (${"accountId"}, ${"name"}, ${"scopes"}, ${"hash"}, ${"allowedCidrs"}, ${"createdAt"}, ${"expiresAt"})
  RETURNING id`

const byHash = sql<{ hash: string }, KeyRow & { accountName: string; plan: Plan }>`
  SELECT keys.id AS "id", account_id AS "accountId", keys.name AS "name", scopes AS "scopes", hash AS "hash",
         allowed_cidrs AS "allowedCidrs", created_at AS "createdAt", expires_at AS "expiresAt",
         rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt", accounts.name AS "accountName", plan AS "plan"
  FROM keys JOIN accounts ON accounts.id = account_id
  WHERE hash = ${"hash"} AND revoked_at IS NULL`

const read = sql<{ id: number }, KeyRow>`
  SELECT id, account_id AS "accountId", name, scopes, hash, allowed_cidrs AS "allowedCidrs",
         created_at AS "createdAt", expires_at AS "expiresAt", rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt"
  FROM keys WHERE id = ${"id"} AND revoked_at IS NULL`

const lock = sql<{ id: number }, { id: number }>`
  SELECT id FROM keys WHERE id = ${"id"} ${forUpdate}`

const list = sql<{ accountId: number; before: number; limit: number }, KeyRow>`
  SELECT id, account_id AS "accountId", name, scopes, hash, allowed_cidrs AS "allowedCidrs",
         created_at AS "createdAt", expires_at AS "expiresAt", rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt"
  FROM keys WHERE account_id = ${"accountId"} AND revoked_at IS NULL AND id < ${"before"}
  ORDER BY id DESC LIMIT ${"limit"}`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM keys WHERE account_id = ${"accountId"} AND revoked_at IS NULL`

const revoke = sql<{ id: number; accountId: number; at: number }>`
  UPDATE keys SET revoked_at = ${"at"}
  WHERE id = ${"id"} AND account_id = ${"accountId"} AND revoked_at IS NULL`

const rotate = sql<{ id: number; at: number; endsAt: number }>`
  UPDATE keys SET rotated_at = ${"at"}, expires_at = ${"endsAt"} WHERE id = ${"id"}`

const used = sql<{ at: number; id: number; before: number }>`
  UPDATE keys SET last_used_at = ${"at"}
  WHERE id = ${"id"} AND (last_used_at IS NULL OR last_used_at < ${"before"})`

export const keyStore = (db: Connection): KeyStore => ({
  async add({ scopes, allowedCidrs, expiresAt = null, ...key }) {
    const row = await db.one(add, { ...key, scopes: scopes.join(" "), allowedCidrs: allowedCidrs.join(" "), expiresAt })
    return (row as { id: number }).id
  },
  async byHash(hash) {
    const row = await db.one(byHash, { hash })
    if (!row) return undefined
    const { accountName, plan, ...key } = row
    const account: Account = { id: key.accountId, name: accountName, plan }
    return { key: keyOf(key), account }
  },
  async lock(id) {
    await db.one(lock, { id })
    return this.read(id)
  },
  async read(id) {
    const row = await db.one(read, { id })
    return row && keyOf(row)
  },
  async list(accountId, { before = idMax + 1, limit }) {
    const rows = await db.all(list, { accountId, before, limit: limit + 1 })
    return pageOf(rows, limit, keyOf)
  },
  count: async (accountId) => Number((await db.one(count, { accountId }))?.count),
  revoke: async (id, accountId, at) => (await db.run(revoke, { id, accountId, at })) > 0,
  async rotate(id, at, endsAt) {
    await db.run(rotate, { id, at, endsAt })
  },
  async used(uses) {
    for (const { id, at } of uses) await db.run(used, { at, id, before: at })
  },
})

const keyOf = ({ scopes, allowedCidrs, expiresAt, rotatedAt, lastUsedAt, ...key }: KeyRow): Key => ({
  ...key,
  scopes: scopes.split(" ") as Scope[],
  allowedCidrs: allowedCidrs === "" ? [] : allowedCidrs.split(" "),
  expiresAt: expiresAt ?? undefined,
  rotatedAt: rotatedAt ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
})
