import type { OriginStore } from "../../domain/ports/origin.ts"
import { theRow } from "../rows.ts"
import { forUpdate, type None, type SqlConnection, sql } from "../statement.ts"

const read = sql<None, { profile: string }>`SELECT profile FROM origin`

const put = sql<{ profile: string; storeId: string }>`
  INSERT INTO origin (profile, store_id) VALUES (${"profile"}, ${"storeId"})`

const storeId = sql<None, { id: string }>`SELECT store_id AS "id" FROM origin`

const renewStoreId = sql<{ storeId: string }>`UPDATE origin SET store_id = ${"storeId"}`

const publicUrl = sql<None, { url: string | null }>`SELECT public_url AS "url" FROM origin`

const putPublicUrl = sql<{ publicUrl: string }>`UPDATE origin SET public_url = ${"publicUrl"}`

const lock = sql<None, { id: string }>`SELECT id FROM identity ${forUpdate}`

const identity = sql<None, { id: string }>`SELECT id FROM identity`

export const originStore = (db: SqlConnection): OriginStore => ({
  async lock() {
    await db.one(lock, {})
  },
  read: async () => (await db.one(read, {}))?.profile,
  put: (profile, storeId) => db.exec(put, { profile, storeId }),
  storeId: async () => (await theRow(db, storeId, {})).id,
  renewStoreId: (storeId) => db.exec(renewStoreId, { storeId }),
  publicUrl: async () => (await db.one(publicUrl, {}))?.url ?? "",
  putPublicUrl: (publicUrl) => db.exec(putPublicUrl, { publicUrl }),
  identity: async () => (await theRow(db, identity, {})).id,
})
