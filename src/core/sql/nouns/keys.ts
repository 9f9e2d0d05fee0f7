import type { Plan } from "../../domain/accounts/contract.ts"
import type { Key, NewKey } from "../../domain/keys/model.ts"
import type { KeyStore } from "../../domain/keys/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { UserRecord } from "../../domain/users/model.ts"
import type { Json } from "../../kernel/json/json.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { storeHash } from "../hashes/hashes.ts"
import { type PageRow, readOne, readPage, type Stored, withoutNulls } from "../rows.ts"
import { forUpdate, fragment, type None, returningId, type SqlConnection, sql } from "../statement.ts"
import { countOfAccount } from "./accounts.ts"
import { requireIntactUser } from "./users.ts"

/** Lists as text, separated by spaces. */
type Lists = { scopes: string; allowedCidrs: string }
type Plain = Omit<Key, keyof Lists>
type KeyRow = Stored<Plain> & Lists & { hashed: string }
type FoundRow = KeyRow & {
  account: string
  accountName: string
  plan: Plan
  person: Json<UserRecord> | null
  personHash: string | null
}

const columns = fragment<None>`
         keys.id AS "id", keys.account_id AS "accountId", keys.name AS "name", scopes, hash,
         allowed_cidrs AS "allowedCidrs", created_at AS "createdAt", expires_at AS "expiresAt",
         rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt", user_id AS "userId", ends_by AS "endsBy",
         ${hashedIn("keys")} AS "hashed"`

const add = sql<Omit<NewKey, keyof Lists> & Lists>`
  INSERT INTO keys (account_id, name, scopes, hash, allowed_cidrs, created_at, expires_at, ends_by, user_id)
  VALUES (${"accountId"}, ${"name"}, ${"scopes"}, ${"hash"}, ${"allowedCidrs"}, ${"createdAt"}, ${"expiresAt"},
          ${"endsBy"},
          coalesce(${"userId"}, (SELECT id FROM users WHERE account_id = ${"accountId"} AND json IS NOT NULL)))
  ${returningId}`

const byHash = sql<{ hash: string }, FoundRow>`
  SELECT ${columns}, accounts.name AS "accountName", plan, ${hashedIn("accounts")} AS "account",
         users.json AS "person", users.text_hash AS "personHash"
  FROM keys JOIN accounts ON accounts.id = keys.account_id LEFT JOIN users ON users.id = user_id
  WHERE hash = ${"hash"} AND revoked_at IS NULL AND (user_id IS NULL OR users.json IS NOT NULL)`

const read = sql<{ id: number }, KeyRow>`SELECT ${columns} FROM keys WHERE id = ${"id"} AND revoked_at IS NULL`

const lock = sql<{ id: number }, { id: number }>`SELECT id FROM keys WHERE id = ${"id"} ${forUpdate}`

const list = sql<{ accountId: number } & PageRow, KeyRow>`
  SELECT ${columns} FROM keys
  WHERE account_id = ${"accountId"} AND revoked_at IS NULL AND id < ${"before"}
  ORDER BY id DESC LIMIT ${"limit"}`

const ofPerson = sql<{ userId: number; accountId: number }, KeyRow>`
  SELECT ${columns} FROM keys
  WHERE id IN (
    SELECT id FROM keys WHERE user_id = ${"userId"} AND revoked_at IS NULL
    UNION SELECT id FROM keys WHERE account_id = ${"accountId"} AND revoked_at IS NULL)
  ORDER BY id`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM keys WHERE id IN (SELECT id FROM keys WHERE revoked_at < ${"before"} ORDER BY revoked_at LIMIT ${"limit"})`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM keys WHERE account_id = ${"accountId"} AND revoked_at IS NULL`

const countExpiring = sql<{ after: number; last: number; limit: number }, { count: number }>`
  SELECT count(*) AS "count" FROM (
    SELECT 1 FROM keys WHERE revoked_at IS NULL AND expires_at > ${"after"} AND expires_at <= ${"last"}
    LIMIT ${"limit"}) AS expiring`

const revoke = sql<{ id: number; accountId: number; at: number }>`
  UPDATE keys SET revoked_at = ${"at"}
  WHERE id = ${"id"} AND account_id = ${"accountId"} AND revoked_at IS NULL`

const rotate = sql<{ id: number; at: number; endsAt: number }>`
  UPDATE keys SET rotated_at = ${"at"}, expires_at = ${"endsAt"} WHERE id = ${"id"}`

const used = sql<{ at: number; id: number; before: number }>`
  UPDATE keys SET last_used_at = ${"at"}
  WHERE id = ${"id"} AND (last_used_at IS NULL OR last_used_at < ${"before"})`

export const keyStore = (db: SqlConnection): KeyStore => ({
  async add(key) {
    const lists = { scopes: key.scopes.join(" "), allowedCidrs: key.allowedCidrs.join(" ") }
    const id = await db.insert(add, { ...key, ...lists })
    await storeHash(db, "keys", id)
    return id
  },
  async byHash(hash) {
    const row = await db.one(byHash, { hash })
    if (!row) return undefined
    const { account, accountName, plan, person, personHash, ...key } = row
    requireIntactColumns("accounts", account)
    return {
      key: toKey(key),
      account: { id: key.accountId, name: accountName, plan },
      role:
        key.userId === null || person === null
          ? undefined
          : requireIntactUser({ id: key.userId, json: person, hash: personHash }).role,
    }
  },
  async lock(id) {
    await db.one(lock, { id })
    return this.read(id)
  },
  read: async (id) => readOne(db, read, { id }, toKey),
  list: (accountId, page) => readPage(db, list, { accountId }, page, toKey),
  // Also damaged ones, which may be revoked.
  ofPerson: async (userId, accountId) => (await db.all(ofPerson, { userId, accountId })).map(toAnyKey),
  prune: async (before, limit) => db.run(prune, { before, limit }),
  count: (accountId) => countOfAccount(db, count, { accountId }),
  countExpiring: async (after, last, limit) => (await db.one(countExpiring, { after, last, limit }))?.count ?? 0,
  async revoke(id, accountId, at) {
    if ((await db.run(revoke, { id, accountId, at })) === 0) return false
    await storeHash(db, "keys", id)
    return true
  },
  async rotate(id, at, endsAt) {
    await db.run(rotate, { id, at, endsAt })
    await storeHash(db, "keys", id)
  },
  async used(uses) {
    for (const { id, at } of uses) await db.run(used, { at, id, before: at })
  },
})

function toKey(row: KeyRow): Key {
  requireIntactColumns("keys", row.hashed)
  return toAnyKey(row)
}

const toAnyKey = ({ scopes, allowedCidrs, hashed, ...key }: KeyRow): Key => ({
  ...withoutNulls<Plain>(key),
  scopes: scopes.split(" ") as Scope[],
  allowedCidrs: allowedCidrs === "" ? [] : allowedCidrs.split(" "),
})
