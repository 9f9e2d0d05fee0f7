import type { SigningKey, SigningKeyStore } from "../../../domain/oauth/store.ts"
import { type Connection, sql } from "../statement.ts"

const all = sql<Record<never, never>, SigningKey>`
  SELECT kid, sealed, created_at AS "createdAt" FROM signing_keys ORDER BY created_at DESC, kid`

const add = sql<SigningKey>`
  INSERT INTO signing_keys (kid, sealed, created_at) VALUES (${"kid"}, ${"sealed"}, ${"createdAt"})`

const reseal = sql<{ kid: string; sealed: string }>`
  UPDATE signing_keys SET sealed = ${"sealed"} WHERE kid = ${"kid"}`

const prune = sql<{ before: number }>`DELETE FROM signing_keys WHERE created_at < ${"before"}`

export const signingKeyStore = (db: Connection): SigningKeyStore => ({
  all: async () => db.all(all, {}),
  async reseal(kid, sealed) {
    await db.run(reseal, { kid, sealed })
  },
  async add(key) {
    await db.run(add, key)
  },
  async prune(before) {
    await db.run(prune, { before })
  },
})
