import type { Plan } from "../../domain/accounts/contract.ts"
import type { KeyStore } from "../../domain/keys/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import { type Connection, sql } from "./statement.ts"

type KeyRow = { accountId: number; name: string; scopes: string; hash: string; expiresAt: number | null }

const add = sql<KeyRow, { id: number }>`
  INSERT INTO keys (account_id, name, scopes, hash, expires_at)
  VALUES (${"accountId"}, ${"name"}, ${"scopes"}, ${"hash"}, ${"expiresAt"}) RETURNING id`

const byHash = sql<{ hash: string }, KeyRow & { id: number; accountName: string; plan: Plan }>`
  SELECT keys.id AS "id", account_id AS "accountId", keys.name AS "name", scopes AS "scopes", hash AS "hash",
         expires_at AS "expiresAt", accounts.name AS "accountName", plan AS "plan"
  FROM keys JOIN accounts ON accounts.id = account_id
  WHERE hash = ${"hash"} AND revoked_at IS NULL`

const revoke = sql<{ id: number; accountId: number; at: number }>`
  UPDATE keys SET revoked_at = ${"at"}
  WHERE id = ${"id"} AND account_id = ${"accountId"} AND revoked_at IS NULL`

export const keyStore = (db: Connection): KeyStore => ({
  async add({ accountId, name, scopes, hash, expiresAt }) {
    const row = await db.one(add, { accountId, name, scopes: scopes.join(" "), hash, expiresAt: expiresAt ?? null })
    return (row as { id: number }).id
  },
  async byHash(hash) {
    const row = await db.one(byHash, { hash })
    if (!row) return undefined
    const { accountName, plan, scopes, expiresAt, ...key } = row
    return {
      key: { ...key, scopes: scopes.split(" ") as Scope[], expiresAt: expiresAt ?? undefined },
      account: { id: key.accountId, name: accountName, plan },
    }
  },
  revoke: async (id, accountId, at) => (await db.run(revoke, { id, accountId, at })) > 0,
})
