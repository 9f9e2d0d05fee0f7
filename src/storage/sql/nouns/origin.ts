import type { OriginStore, Profile } from "../../../domain/ports/origin.ts"
import { type Connection, forUpdate, sql } from "../statement.ts"

const read = sql<Record<never, never>, { profile: Profile }>`
  SELECT profile FROM origin`

const put = sql<{ profile: Profile; storeId: string }>`
  INSERT INTO origin (profile, store_id) VALUES (${"profile"}, ${"storeId"})`

/** Versions before this one fill a store without giving it an id. */
const storeId = sql<Record<never, never>, { id: string }>`
  SELECT COALESCE((SELECT store_id FROM origin), id) AS "id" FROM identity`

const renewStoreId = sql<{ storeId: string }>`
  UPDATE origin SET store_id = ${"storeId"}`

const publicUrl = sql<Record<never, never>, { url: string | null }>`
  SELECT public_url AS "url" FROM origin`

const putPublicUrl = sql<{ publicUrl: string }>`
  UPDATE origin SET public_url = ${"publicUrl"}`

const lock = sql<Record<never, never>, { id: string }>`
  SELECT id FROM identity ${forUpdate}`

const identity = sql<Record<never, never>, { id: string }>`
  SELECT id FROM identity`

export const originStore = (db: Connection): OriginStore => ({
  async lock() {
    await db.one(lock, {})
  },
  read: async () => (await db.one(read, {}))?.profile,
  async put(profile, storeId) {
    await db.run(put, { profile, storeId })
  },
  storeId: async () => ((await db.one(storeId, {})) as { id: string }).id,
  async renewStoreId(storeId) {
    await db.run(renewStoreId, { storeId })
  },
  publicUrl: async () => (await db.one(publicUrl, {}))?.url ?? "",
  async putPublicUrl(url) {
    await db.run(putPublicUrl, { publicUrl: url })
  },
  empty: async () => db.empty(),
  identity: async () => ((await db.one(identity, {})) as { id: string }).id,
})
