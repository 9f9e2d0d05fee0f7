import { hash } from "node:crypto"
import type { OAuthClient } from "../../domain/oauth/contract.ts"
import type { OAuthClientStore } from "../../domain/oauth/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import { pageOf } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"
import { type Connection, forUpdate, sql } from "./statement.ts"

type Row = {
  id: number
  clientId: string
  name: string
  type: OAuthClient["type"]
  redirectUris: string
  scopes: string
  createdAt: string
}

type SecretsRow = Row & {
  accountId: number
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
}

const add = sql<Omit<Row, "id"> & { accountId: number }, { id: number }>`
  INSERT INTO oauth_clients (account_id, client_id, name, type, redirect_uris, scopes, created_at)
  VALUES (${"accountId"}, ${"clientId"}, ${"name"}, ${"type"}, ${"redirectUris"}, ${"scopes"}, ${"createdAt"})
  RETURNING id`

const read = sql<{ id: number; accountId: number }, Row>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt"
  FROM oauth_clients WHERE id = ${"id"} AND account_id = ${"accountId"}`

const lock = sql<{ id: number; accountId: number }, Row>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt"
  FROM oauth_clients WHERE id = ${"id"} AND account_id = ${"accountId"} ${forUpdate}`

const list = sql<{ accountId: number; before: number; limit: number }, Row>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt"
  FROM oauth_clients WHERE account_id = ${"accountId"} AND id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM oauth_clients WHERE account_id = ${"accountId"}`

const byClientId = sql<{ clientId: string }, SecretsRow>`
  SELECT id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         account_id AS "accountId", secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
         previous_secret_until AS "previousSecretUntil"
  FROM oauth_clients WHERE client_id = ${"clientId"}`

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
  async add({ redirectUris, scopes, ...client }) {
    const { accountId, clientId, name, type, createdAt } = client
    const row = { accountId, clientId, name, type, createdAt, ...lists({ redirectUris, scopes }) }
    return ((await db.one(add, row)) as { id: number }).id
  },
  read: async (id, accountId) => clientOf(await db.one(read, { id, accountId })),
  lock: async (id, accountId) => clientOf(await db.one(lock, { id, accountId })),

  async list(accountId, { before = idMax + 1, limit }) {
    const rows = await db.all(list, { accountId, before, limit: limit + 1 })
    return pageOf(rows, limit, (row) => clientOf(row) as OAuthClient)
  },

  count: async (accountId) => Number((await db.one(count, { accountId }))?.count),

  async byClientId(clientId) {
    const row = await db.one(byClientId, { clientId })
    if (!row) return undefined
    const { accountId, secretHash, previousSecretHash, previousSecretUntil, ...client } = row
    const secrets = [
      ...(secretHash === null ? [] : [{ hash: secretHash, until: undefined }]),
      ...(previousSecretHash === null ? [] : [{ hash: previousSecretHash, until: previousSecretUntil ?? 0 }]),
    ]
    return { ...(clientOf(client) as OAuthClient), accountId, secrets }
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

const clientOf = (row: Row | undefined): OAuthClient | undefined =>
  row && {
    id: row.id,
    clientId: row.clientId,
    name: row.name,
    type: row.type,
    redirectUris: JSON.parse(row.redirectUris),
    scopes: row.scopes.split(" ") as Scope[],
    createdAt: row.createdAt,
  }
