import type { OriginStore, Profile } from "../../domain/ports.ts"
import { type Connection, sql } from "./statement.ts"

const read = sql<Record<never, never>, { profile: Profile }>`
  SELECT profile FROM origin`

const put = sql<{ profile: Profile }>`
  INSERT INTO origin (profile) VALUES (${"profile"})`

const identity = sql<Record<never, never>, { id: string }>`
  SELECT id FROM identity`

export const originStore = (db: Connection): OriginStore => ({
  read: async () => (await db.one(read, {}))?.profile,
  async put(profile) {
    await db.run(put, { profile })
  },
  identity: async () => ((await db.one(identity, {})) as { id: string }).id,
})
