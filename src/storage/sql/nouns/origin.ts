import type { OriginStore } from "../../../domain/ports/origin.ts"
import type { Profile } from "../../../kernel/profile.ts"
import { theRow } from "../rows.ts"
import { forUpdate, type None, type SqlConnection, sql } from "../statement.ts"

const read = sql<None, { profile: Profile }>`SELECT profile FROM origin`

const put = sql<{ profile: Profile; storeId: string }>`
  INSERT INTO origin (profile, store_id) VALUES (${"profile"}, ${"storeId"})`

/** Earlier versions created stores without an id. */
const storeId = sql<None, { id: string }>`SELECT COALESCE((SELECT store_id FROM origin), id) AS "id" FROM identity`

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
