import type { Plan } from "../../domain/accounts/contract.ts"
import type { OAuthRecord, OAuthRecordStore, StoredToken } from "../../domain/oauth/store.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { UserRecord } from "../../domain/users/model.ts"
import type { Json } from "../../kernel/json/json.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { readOne, type Stored, theRow, withoutNulls } from "../rows.ts"
import { fragment, type None, type SqlConnection, sql } from "../statement.ts"
import { boundsOf } from "./oauth-clients.ts"
import { requireIntactUser } from "./users.ts"

const columns = fragment<None>`
         kind, hash, uid, grant_id AS "grantId", client_id AS "clientId", user_id AS "userId", scope, json,
         expires_at AS "expiresAt", consumed_at AS "consumedAt"`

const put = sql<OAuthRecord>`
  INSERT INTO oauth_records (kind, hash, uid, grant_id, client_id, user_id, scope, json, expires_at, consumed_at)
  VALUES (${"kind"}, ${"hash"}, ${"uid"}, ${"grantId"}, ${"clientId"}, ${"userId"}, ${"scope"}, ${"json"},
          ${"expiresAt"}, ${"consumedAt"})
  ON CONFLICT (kind, hash) DO UPDATE
  SET uid = excluded.uid, grant_id = excluded.grant_id, client_id = excluded.client_id, user_id = excluded.user_id,
      scope = excluded.scope, json = excluded.json, expires_at = excluded.expires_at,
      consumed_at = excluded.consumed_at`

const noteConsent = sql<{ userId: number }>`
  UPDATE users SET has_consented = 1 WHERE id = ${"userId"} AND has_consented = 0`

const read = sql<{ kind: string; hash: string }, Stored<OAuthRecord>>`
  SELECT ${columns} FROM oauth_records WHERE kind = ${"kind"} AND hash = ${"hash"}`

const byUid = sql<{ kind: string; uid: string }, Stored<OAuthRecord>>`
  SELECT ${columns} FROM oauth_records WHERE uid = ${"uid"} AND kind = ${"kind"}`

const consume = sql<{ kind: string; hash: string; at: number }>`
  UPDATE oauth_records SET consumed_at = ${"at"}
  WHERE kind = ${"kind"} AND hash = ${"hash"} AND consumed_at IS NULL`

const remove = sql<{ kind: string; hash: string }>`
  DELETE FROM oauth_records WHERE kind = ${"kind"} AND hash = ${"hash"}`

const removeOfGrant = sql<{ grantId: string; kind: string }>`
  DELETE FROM oauth_records WHERE grant_id = ${"grantId"} AND kind = ${"kind"}`

const removeGrant = sql<{ grantId: string }>`DELETE FROM oauth_records WHERE grant_id = ${"grantId"}`

/** The account that a record of a client counts for: of a client that a document describes, the account of the person. */
const accountOf = fragment<None>`
  CASE WHEN oauth_clients.client_id LIKE 'https://%' THEN coalesce(users.account_id, oauth_clients.account_id)
       ELSE oauth_clients.account_id END`

const accountsOf = sql<{ kind: string; hash: string }, { accountId: number }>`
  SELECT ${accountOf} AS "accountId" FROM oauth_records
  JOIN oauth_clients ON oauth_clients.client_id = oauth_records.client_id
  LEFT JOIN users ON users.id = oauth_records.user_id
  WHERE kind = ${"kind"} AND hash = ${"hash"}`

// All records of a grant belong to one client.
const accountsOfGrant = sql<{ grantId: string }, { accountId: number }>`
  SELECT ${accountOf} AS "accountId" FROM oauth_records
  JOIN oauth_clients ON oauth_clients.client_id = oauth_records.client_id
  LEFT JOIN users ON users.id = oauth_records.user_id
  WHERE grant_id = ${"grantId"} LIMIT 1`

const hasConsentId = sql<{ hash: string }, { id: number }>`
  SELECT consent_id AS "id" FROM oauth_records WHERE kind = 'Grant' AND hash = ${"hash"} AND consent_id IS NOT NULL`

const nextConsentId = sql<None, { id: number }>`
  UPDATE counters SET last = last + 1 WHERE name = 'consents' RETURNING last AS "id"`

const setConsentId = sql<{ hash: string; id: number }>`
  UPDATE oauth_records SET consent_id = ${"id"} WHERE kind = 'Grant' AND hash = ${"hash"}`

const consentOf = sql<{ grantId: string }, { id: number; userId: number; clientId: string }>`
  SELECT consent_id AS "id", user_id AS "userId", client_id AS "clientId" FROM oauth_records
  WHERE grant_id = ${"grantId"} AND kind = 'Grant'`

const removeOldest = sql<{ kind: string; userId: number; hash: string; max: number }>`
  DELETE FROM oauth_records WHERE (kind, hash) IN (
    SELECT kind, hash FROM (
      SELECT kind, hash, row_number() OVER (ORDER BY expires_at DESC, hash) AS n FROM oauth_records
      WHERE user_id = ${"userId"} AND kind = ${"kind"} AND hash <> ${"hash"}
    ) AS own
    WHERE n >= ${"max"}
  )`

const removeUser = sql<{ userId: number }>`DELETE FROM oauth_records WHERE user_id = ${"userId"}`

type ClientRow = { client: string; clientUserId: number | null; clientExpiresAt: number | null; clientCidrs: string }
type PeopleRow = {
  makerJson: Json<UserRecord> | null
  makerHash: string | null
  userId: number | null
  userJson: Json<UserRecord> | null
  userHash: string | null
  userAccountId: number | null
}
type AccountRow = { account: string; accountId: number; accountName: string; plan: Plan }
type TokenRow = AccountRow &
  ClientRow &
  PeopleRow & {
    oauthClientId: number
    clientScopes: string
    granted: string
    expiresAt: number
    /** The end of the consent; null for a client that acts for itself. */
    consentEndsAt: number | null
  }

const token = sql<{ hash: string }, TokenRow>`
  SELECT accounts.id AS "accountId", accounts.name AS "accountName", plan, ${hashedIn("accounts")} AS "account",
         ${hashedIn("clients")} AS "client", oauth_clients.id AS "oauthClientId", oauth_clients.scopes AS "clientScopes",
         oauth_clients.user_id AS "clientUserId", oauth_clients.expires_at AS "clientExpiresAt",
         oauth_clients.allowed_cidrs AS "clientCidrs", makers.json AS "makerJson", makers.text_hash AS "makerHash",
         users.id AS "userId", users.json AS "userJson", users.text_hash AS "userHash",
         users.account_id AS "userAccountId", token.scope AS "granted", token.expires_at AS "expiresAt",
         consent.expires_at AS "consentEndsAt"
  FROM oauth_records AS token
  JOIN oauth_clients ON oauth_clients.client_id = token.client_id
  LEFT JOIN users ON users.id = token.user_id
  JOIN accounts ON accounts.id = ${accountOf}
  LEFT JOIN users AS makers ON makers.id = oauth_clients.user_id
  LEFT JOIN oauth_records AS consent ON consent.grant_id = token.grant_id AND consent.kind = 'Grant'
  WHERE token.hash = ${"hash"} AND token.kind IN ('AccessToken', 'ClientCredentials')
  AND (token.user_id IS NULL OR users.json IS NOT NULL)
  AND (oauth_clients.user_id IS NULL OR makers.json IS NOT NULL)
  AND (token.grant_id IS NULL OR consent.grant_id IS NOT NULL)`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM oauth_records WHERE (kind, hash) IN
    (SELECT kind, hash FROM oauth_records WHERE expires_at < ${"before"} LIMIT ${"limit"})`

export const oauthRecordStore = (db: SqlConnection): OAuthRecordStore => ({
  async put(record) {
    await db.run(put, record)
    if (record.kind !== "Grant") return
    await nameConsent(db, record.hash)
    if (record.userId !== undefined) await db.run(noteConsent, { userId: record.userId })
  },
  read: async (kind, hash) => readOne(db, read, { kind, hash }, withoutNulls<OAuthRecord>),
  byUid: async (kind, uid) => readOne(db, byUid, { kind, uid }, withoutNulls<OAuthRecord>),
  consume: async (kind, hash, at) => (await db.run(consume, { kind, hash, at })) > 0,
  async remove(kind, hash) {
    const concerned = await db.all(accountsOf, { kind, hash })
    await db.run(remove, { kind, hash })
    return concerned.map(({ accountId }) => accountId)
  },
  async removeGrant(grantId, kind) {
    const concerned = await db.all(accountsOfGrant, { grantId })
    await (kind === undefined ? db.run(removeGrant, { grantId }) : db.run(removeOfGrant, { grantId, kind }))
    return concerned.map(({ accountId }) => accountId)
  },
  async removeOldest({ kind, userId, hash }, max) {
    if (userId !== undefined) await db.run(removeOldest, { kind, userId, hash, max })
  },
  removeUser: (userId) => db.exec(removeUser, { userId }),
  async token(hash) {
    const row = await db.one(token, { hash })
    if (!row) return undefined
    requireIntactColumns("clients", row.client)
    requireIntactColumns("accounts", row.account)
    return {
      account: { id: row.accountId, name: row.accountName, plan: row.plan },
      oauthClientId: row.oauthClientId,
      clientScopes: row.clientScopes.split(" ") as Scope[],
      clientBounds: boundsOf({
        userId: row.clientUserId,
        expiresAt: row.clientExpiresAt,
        allowedCidrs: row.clientCidrs,
      }),
      clientRole: toMaker(row)?.role,
      user: toUser(row),
      granted: row.granted.split(" "),
      expiresAt: Math.min(row.expiresAt, row.consentEndsAt ?? Number.POSITIVE_INFINITY),
    }
  },
  consentOf: async (grantId) => db.one(consentOf, { grantId }),
  prune: async (before, limit) => db.run(prune, { before, limit }),
})

/** Assigns a grant the id of its consent, once. */
async function nameConsent(db: SqlConnection, hash: string): Promise<void> {
  if (await db.one(hasConsentId, { hash })) return
  const { id } = await theRow(db, nextConsentId, {})
  await db.run(setConsentId, { hash, id })
}

const toMaker = ({ clientUserId, makerJson, makerHash }: TokenRow): UserRecord | undefined =>
  clientUserId === null || makerJson === null
    ? undefined
    : requireIntactUser({ id: clientUserId, json: makerJson, hash: makerHash })

function toUser({ userId, userJson, userHash, userAccountId }: TokenRow): StoredToken["user"] {
  if (userId === null || userJson === null) return undefined
  const { id, username, role } = requireIntactUser({ id: userId, json: userJson, hash: userHash })
  return { id, username, role, accountId: userAccountId as number }
}
