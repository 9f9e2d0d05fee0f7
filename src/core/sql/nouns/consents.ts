import type { Grant, StoredConsent } from "../../domain/oauth/consents/model.ts"
import type { ConsentStore } from "../../domain/oauth/consents/store.ts"
import { fromJson, type Json } from "../../kernel/json/json.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { type PageRow, readPage } from "../rows.ts"
import { type SqlConnection, sql } from "../statement.ts"

type ConsentRow = Omit<StoredConsent, "grant"> & { grant: Json<Grant>; client: string }

const list = sql<{ userId: number; now: number } & PageRow, ConsentRow>`
  SELECT consent_id AS "id", oauth_clients.client_id AS "clientId", name AS "clientName", json AS "grant",
         oauth_records.expires_at AS "expiresAt", ${hashedIn("clients")} AS "client"
  FROM oauth_records
  JOIN oauth_clients ON oauth_clients.client_id = oauth_records.client_id
  WHERE oauth_records.user_id = ${"userId"} AND consent_id < ${"before"} AND oauth_records.expires_at > ${"now"}
  ORDER BY consent_id DESC LIMIT ${"limit"}`

const end = sql<{ id: number; userId: number }>`
  DELETE FROM oauth_records WHERE grant_id =
    (SELECT grant_id FROM oauth_records WHERE consent_id = ${"id"} AND user_id = ${"userId"})`

export const consentStore = (db: SqlConnection): ConsentStore => ({
  list: (userId, now, page) => readPage(db, list, { userId, now }, page, toConsent),
  end: async (id, userId) => (await db.run(end, { id, userId })) > 0,
})

function toConsent({ client, grant, ...consent }: ConsentRow): StoredConsent {
  requireIntactColumns("clients", client)
  return { ...consent, grant: fromJson(grant) }
}
