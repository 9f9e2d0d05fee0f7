import type { Plan } from "../../domain/accounts/contract.ts"
import type { UserRecord } from "../../domain/users/model.ts"
import type { SessionStore } from "../../domain/users/sessions/store.ts"
import type { Json } from "../../kernel/json/json.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { returningId, type SqlConnection, sql } from "../statement.ts"
import { requireIntactUser } from "./users.ts"

type SessionRow = { userId: number; hash: string; expiresAt: number }
type SessionUserRow = SessionRow & {
  id: number
  user: Json<UserRecord>
  userHash: string | null
  account: string
  accountId: number
  accountName: string
  plan: Plan
}

const add = sql<SessionRow>`
  INSERT INTO sessions (user_id, hash, expires_at) VALUES (${"userId"}, ${"hash"}, ${"expiresAt"})
  ${returningId}`

const endOldest = sql<{ userId: number; max: number }>`
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM sessions WHERE user_id = ${"userId"}) AS own
    WHERE n > ${"max"}
  )`

const byHash = sql<{ hash: string }, SessionUserRow>`
  SELECT sessions.id AS "id", user_id AS "userId", hash AS "hash", expires_at AS "expiresAt", json AS "user",
         users.text_hash AS "userHash", ${hashedIn("accounts")} AS "account", account_id AS "accountId", accounts.name AS "accountName", plan AS "plan"
  FROM sessions JOIN users ON users.id = user_id JOIN accounts ON accounts.id = account_id
  WHERE hash = ${"hash"}`

const end = sql<{ hash: string }>`DELETE FROM sessions WHERE hash = ${"hash"}`

const endAll = sql<{ userId: number }>`DELETE FROM sessions WHERE user_id = ${"userId"}`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < ${"before"} LIMIT ${"limit"})`

export const sessionStore = (db: SqlConnection): SessionStore => ({
  async add({ userId, hash, expiresAt }, max) {
    const id = await db.insert(add, { userId, hash, expiresAt })
    return { id, ended: await db.run(endOldest, { userId, max }) }
  },
  async byHash(hash) {
    const row = await db.one(byHash, { hash })
    if (!row) return undefined
    const { user: json, userHash, account, accountId, accountName, plan, ...session } = row
    const user = requireIntactUser({ id: session.userId, json, hash: userHash })
    requireIntactColumns("accounts", account)
    return { session, user, account: { id: accountId, name: accountName, plan } }
  },
  end: async (hash) => (await db.run(end, { hash })) > 0,
  endAll: (userId) => db.exec(endAll, { userId }),
  prune: async (before, limit) => db.run(prune, { before, limit }),
})
