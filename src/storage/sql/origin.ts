import type { OriginStore, Profile } from "../../domain/origin/store.ts"
import { type Connection, forUpdate, sql } from "./statement.ts"

const read = sql<Record<never, never>, { profile: Profile }>`
  SELECT profile FROM origin`

const put = sql<{ profile: Profile }>`
  INSERT INTO origin (profile) VALUES (${"profile"})`

const lock = sql<Record<never, never>, { id: string }>`
  SELECT id FROM identity ${forUpdate}`

const identity = sql<Record<never, never>, { id: string }>`
  SELECT id FROM identity`

export const originStore = (db: Connection): OriginStore => ({
  async lock() {
    await db.one(lock, {})
  },
  read: async () => (await db.one(read, {}))?.profile,
  async put(profile) {
    await db.run(put, { profile })
  },
  empty: async () => db.empty(),
  identity: async () => ((await db.one(identity, {})) as { id: string }).id,
})
