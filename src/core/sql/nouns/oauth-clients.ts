import { hash } from "node:crypto"
import type { Bounds } from "../../domain/accounts/model.ts"
import type { OAuthClient } from "../../domain/oauth/contract.ts"
import type { OAuthClientStore } from "../../domain/oauth/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import { timestamp } from "../../kernel/clock.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { storeHash } from "../hashes/hashes.ts"
import { type PageRow, readOne, readPage, theRow } from "../rows.ts"
import { forUpdate, fragment, type None, returningId, type SqlConnection, sql } from "../statement.ts"
import { countOfAccount } from "./accounts.ts"

/** Lists as text: addresses in JSON, the others separated by spaces. */
type Lists = { redirectUris: string; scopes: string; allowedCidrs: string }
type Alg = NonNullable<OAuthClient["idTokenSignedResponseAlg"]>
type NewRow = Lists &
  Pick<OAuthClient, "clientId" | "name" | "type" | "createdAt"> & { expiresAt: number | null; idTokenAlg: Alg | null }
type Row = NewRow & { id: number; hashed: string }
type Secrets = { secretHash: string | null; previousSecretHash: string | null; previousSecretUntil: number | null }
type SecretsRow = Row & Secrets & { accountId: number; userId: number | null }

const columns = fragment<None>`
         id, client_id AS "clientId", name, type, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt",
         expires_at AS "expiresAt", allowed_cidrs AS "allowedCidrs", id_token_alg AS "idTokenAlg",
         ${hashedIn("clients")} AS "hashed"`

const add = sql<NewRow & { accountId: number; userId: number | undefined }>`
  INSERT INTO oauth_clients
    (account_id, client_id, name, type, redirect_uris, scopes, created_at, expires_at, allowed_cidrs, id_token_alg,
     user_id)
  VALUES (${"accountId"}, ${"clientId"}, ${"name"}, ${"type"}, ${"redirectUris"}, ${"scopes"}, ${"createdAt"},
          ${"expiresAt"}, ${"allowedCidrs"}, ${"idTokenAlg"},
          coalesce(${"userId"}, (SELECT id FROM users WHERE account_id = ${"accountId"} AND json IS NOT NULL)))
  ${returningId}`

const putOfDocument = sql<Pick<NewRow, "clientId" | "name" | "redirectUris" | "scopes" | "createdAt">, { id: number }>`
  INSERT INTO oauth_clients (account_id, client_id, name, type, redirect_uris, scopes, created_at)
  VALUES ((SELECT min(id) FROM accounts), ${"clientId"}, ${"name"}, 'public', ${"redirectUris"}, ${"scopes"},
          ${"createdAt"})
  ON CONFLICT (client_id) DO UPDATE
  SET name = excluded.name, redirect_uris = excluded.redirect_uris, scopes = excluded.scopes
  RETURNING id`

const read = sql<{ id: number; accountId: number }, Row>`
  SELECT ${columns} FROM oauth_clients WHERE id = ${"id"} AND account_id = ${"accountId"}`

const lock = sql<{ id: number; accountId: number }, Row & { userId: number | null }>`
  SELECT ${columns}, user_id AS "userId" FROM oauth_clients
  WHERE id = ${"id"} AND account_id = ${"accountId"} ${forUpdate}`

const list = sql<{ accountId: number } & PageRow, Row>`
  SELECT ${columns} FROM oauth_clients
  WHERE account_id = ${"accountId"} AND id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

const ofPerson = sql<{ userId: number; accountId: number }, Row & { accountId: number }>`
  SELECT ${columns}, account_id AS "accountId" FROM oauth_clients
  WHERE id IN (
    SELECT id FROM oauth_clients WHERE user_id = ${"userId"}
    UNION SELECT id FROM oauth_clients WHERE account_id = ${"accountId"})
  ORDER BY id`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM oauth_clients WHERE account_id = ${"accountId"}`

const byClientId = sql<{ clientId: string }, SecretsRow>`
  SELECT ${columns}, user_id AS "userId", account_id AS "accountId", secret_hash AS "secretHash",
         previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil"
  FROM oauth_clients WHERE client_id = ${"clientId"}
    AND (user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND json IS NOT NULL))`

const put = sql<{ id: number; name: string; redirectUris: string; scopes: string; idTokenAlg: Alg | null }>`
  UPDATE oauth_clients SET name = ${"name"}, redirect_uris = ${"redirectUris"}, scopes = ${"scopes"},
         id_token_alg = ${"idTokenAlg"}
  WHERE id = ${"id"}`

const setSecret = sql<{ id: number; secretHash: string; previousUntil: number }>`
  UPDATE oauth_clients SET previous_secret_hash = secret_hash, previous_secret_until = ${"previousUntil"},
         secret_hash = ${"secretHash"}
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM oauth_clients WHERE id = ${"id"}`

const removeRecords = sql<{ clientId: string }>`DELETE FROM oauth_records WHERE client_id = ${"clientId"}`

export const oauthClientStore = (db: SqlConnection): OAuthClientStore => ({
  async add({ expiresAt, allowedCidrs = [], userId, idTokenSignedResponseAlg: idTokenAlg = null, ...client }) {
    const endsAt = expiresAt === undefined ? null : Date.parse(expiresAt)
    const bounds = { userId, expiresAt: endsAt, allowedCidrs: allowedCidrs.join(" ") }
    const id = await db.insert(add, { ...client, ...lists(client), ...bounds, idTokenAlg })
    await storeHash(db, "clients", id)
    return id
  },
  async putOfDocument(client) {
    // What the document does not say stays, and must not get a right hash when it is damaged.
    await this.byClientId(client.clientId)
    const { id } = await theRow(db, putOfDocument, { ...client, ...lists(client) })
    await storeHash(db, "clients", id)
  },
  read: async (id, accountId) => readOne(db, read, { id, accountId }, toClient),
  lock: async (id, accountId) =>
    readOne(db, lock, { id, accountId }, (row) => ({ client: toClient(row), bounds: boundsOf(row) })),
  ofPerson: async (userId, accountId) =>
    // Also damaged ones, which may be deleted.
    (await db.all(ofPerson, { userId, accountId })).map((row) => ({ ...toAnyClient(row), accountId: row.accountId })),
  list: (accountId, page) => readPage(db, list, { accountId }, page, toClient),
  count: (accountId) => countOfAccount(db, count, { accountId }),
  async byClientId(clientId) {
    const row = await db.one(byClientId, { clientId })
    if (!row) return undefined
    const { accountId, secretHash, previousSecretHash, previousSecretUntil, ...client } = row
    const secrets = [
      ...(secretHash === null ? [] : [{ hash: secretHash, until: undefined }]),
      ...(previousSecretHash === null ? [] : [{ hash: previousSecretHash, until: previousSecretUntil ?? 0 }]),
    ]
    return { ...toClient(client), accountId, bounds: boundsOf(client), secrets }
  },
  async put({ id, name, idTokenSignedResponseAlg: idTokenAlg = null, ...client }) {
    await db.run(put, { id, name, ...lists(client), idTokenAlg })
    await storeHash(db, "clients", id)
  },
  async setSecret(id, secret, previousUntil) {
    await db.run(setSecret, { id, secretHash: hash("sha256", secret), previousUntil })
    await storeHash(db, "clients", id)
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

function toClient(row: Row): OAuthClient {
  requireIntactColumns("clients", row.hashed)
  return toAnyClient(row)
}

const toAnyClient = ({ id, clientId, name, type, redirectUris, scopes, createdAt, ...row }: Row): OAuthClient => ({
  id,
  clientId,
  name,
  type,
  redirectUris: JSON.parse(redirectUris),
  scopes: scopes.split(" ") as Scope[],
  createdAt,
  ...(row.expiresAt !== null && { expiresAt: timestamp(row.expiresAt) }),
  ...(row.allowedCidrs !== "" && { allowedCidrs: row.allowedCidrs.split(" ") }),
  ...(row.idTokenAlg !== null && { idTokenSignedResponseAlg: row.idTokenAlg }),
})

export const boundsOf = (row: Pick<SecretsRow, "userId" | "expiresAt" | "allowedCidrs">): Bounds => ({
  userId: row.userId ?? undefined,
  endsAt: row.expiresAt ?? undefined,
  allowedCidrs: row.allowedCidrs === "" ? [] : row.allowedCidrs.split(" "),
})
