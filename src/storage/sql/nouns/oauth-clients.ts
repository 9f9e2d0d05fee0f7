import { hash } from "node:crypto"
import type { Bounds } from "../../../domain/accounts/model.ts"
import type { OAuthClient } from "../../../domain/oauth/contract.ts"
import type { OAuthClientStore } from "../../../domain/oauth/store.ts"
import type { Scope } from "../../../domain/scopes.ts"
import { timestamp } from "../../../kernel/clock.ts"
import { pageOf } from "../../../kernel/page.ts"
import { idMax } from "../../../kernel/schema/schema.ts"
import { type Connection, forUpdate, sql } from "../statement.ts"
import { lockAccount } from "./accounts.ts"

type Row = {
  id: number
  clientId: string
  name: string
  type: OAuthClient["type"]
  redirectUris: string
  scopes: string
  createdAt: string
  expiresAt: number | null
  allowedCidrs: string
}

type SecretsRow = Row & {
  accountId: number
  userId: number | null
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
}

const add = sql<Omit<Row, "id"> & { accountId: number; userId: number | null }, { id: number }>`
  INSERT INTO oauth_clients
    (account_id, client_id, name, type, redirect_uris, scopes, created_at, expires_at, allowed_cidrs, user_id)
  VALUES (${"accountId"}, ${"clientId"}, ${"name"}, ${"type"}, ${"redirectUris"}, ${"scopes"}, ${"createdAt"},
          ${"expiresAt"}, ${"allowedCidrs"},
          coalesce(${"userId"}, (SELECT id FROM users WHERE account_id = ${"accountId"} AND json IS NOT NULL)))
  RETURNING id`

const read = sql<{ id: number; accountId: number }, Row>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs"
  FROM oauth_clients WHERE id = ${"id"} AND account_id = ${"accountId"}`

const lock = sql<{ id: number; accountId: number }, Row & { userId: number | null }>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs", user_id AS "userId"
  FROM oauth_clients WHERE id = ${"id"} AND account_id = ${"accountId"} ${forUpdate}`

const list = sql<{ accountId: number; before: number; limit: number }, Row>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs"
  FROM oauth_clients WHERE account_id = ${"accountId"} AND id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

const ofPerson = sql<{ userId: number; accountId: number }, Row & { accountId: number }>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs", account_id AS "accountId"
  FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients WHERE user_id = ${"userId"}
    UNION SELECT id FROM oauth_clients WHERE account_id = ${"accountId"})
  ORDER BY id`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM oauth_clients WHERE account_id = ${"accountId"}`

const byClientId = sql<{ clientId: string }, SecretsRow>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs", user_id AS "userId", account_id AS "accountId", secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
         previous_secret_until AS "previousSecretUntil"
  FROM oauth_clients WHERE client_id = ${"clientId"}
    AND (user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND json IS NOT NULL))`

const put = sql<{ id: number; name: string; redirectUris: string; scopes: string }>`
  UPDATE oauth_clients SET name = ${"name"}, redirect_uris = ${"redirectUris"}, scopes = ${"scopes"}
  WHERE id = ${"id"}`

const setSecret = sql<{ id: number; secretHash: string; previousUntil: number }>`
  UPDATE oauth_clients SET previous_secret_hash = secret_hash, previous_secret_until = ${"previousUntil"},
         secret_hash = ${"secretHash"}
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM oauth_clients WHERE id = ${"id"}`

const removeRecords = sql<{ clientId: string }>`DELETE FROM oauth_records WHERE client_id = ${"clientId"}`

export const oauthClientStore = (db: Connection): OAuthClientStore => ({
  async add({ redirectUris, scopes, expiresAt, allowedCidrs = [], ...client }) {
    const { accountId, clientId, name, type, createdAt, userId = null } = client
    const limits = {
      expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
      allowedCidrs: allowedCidrs.join(" "),
    }
    const row = { accountId, clientId, name, type, createdAt, userId, ...limits, ...lists({ redirectUris, scopes }) }
    return ((await db.one(add, row)) as { id: number }).id
  },
  read: async (id, accountId) => toClient(await db.one(read, { id, accountId })),
  async lock(id, accountId) {
    const row = await db.one(lock, { id, accountId })
    return row && { client: toClient(row) as OAuthClient, bounds: boundsOf(row) }
  },
  ofPerson: async (userId, accountId) =>
    (await db.all(ofPerson, { userId, accountId })).map(({ accountId, ...row }) => ({
      ...(toClient(row) as OAuthClient),
      accountId,
    })),

  async list(accountId, { before = idMax + 1, limit }) {
    const rows = await db.all(list, { accountId, before, limit: limit + 1 })
    return pageOf(rows, limit, (row) => toClient(row) as OAuthClient)
  },

  async count(accountId) {
    await lockAccount(db, accountId)
    return Number((await db.one(count, { accountId }))?.count)
  },

  async byClientId(clientId) {
    const row = await db.one(byClientId, { clientId })
    if (!row) return undefined
    const { accountId, secretHash, previousSecretHash, previousSecretUntil, ...client } = row
    const secrets = [
      ...(secretHash === null ? [] : [{ hash: secretHash, until: undefined }]),
      ...(previousSecretHash === null ? [] : [{ hash: previousSecretHash, until: previousSecretUntil ?? 0 }]),
    ]
    return { ...(toClient(client) as OAuthClient), accountId, bounds: boundsOf(client), secrets }
  },

  async put({ id, name, redirectUris, scopes }) {
    await db.run(put, { id, name, ...lists({ redirectUris, scopes }) })
  },
  async setSecret(id, secret, previousUntil) {
    await db.run(setSecret, { id, secretHash: hash("sha256", secret), previousUntil })
  },
  async remove({ id, clientId }) {
    await db.run(removeRecords, { clientId })
    await db.run(remove, { id })
  },
})

const lists = ({ redirectUris, scopes }: Pick<OAuthClient, "redirectUris" | "scopes">) => ({
  redirectUris: JSON.stringify(redirectUris),
  scopes: scopes.join(" "),
})

const toClient = (row: Row | undefined): OAuthClient | undefined =>
  row && {
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    type: row.type,
    redirectUris: JSON.parse(row.redirectUris),
    scopes: row.scopes.split(" ") as Scope[],
    createdAt: row.createdAt,
    ...(row.expiresAt !== null && { expiresAt: timestamp(row.expiresAt) }),
    ...(row.allowedCidrs !== "" && { allowedCidrs: row.allowedCidrs.split(" ") }),
  }

/** What a client stays within, from its columns. */
export const boundsOf = (row: Pick<SecretsRow, "userId" | "expiresAt" | "allowedCidrs">): Bounds => ({
  userId: row.userId ?? undefined,
  endsAt: row.expiresAt ?? undefined,
  allowedCidrs: row.allowedCidrs === "" ? [] : row.allowedCidrs.split(" "),
})
