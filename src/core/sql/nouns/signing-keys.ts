import type { SigningKey, SigningKeyStore } from "../../domain/oauth/store.ts"
import { type None, type SqlConnection, sql } from "../statement.ts"

const all = sql<None, SigningKey>`
  SELECT kid, sealed, created_at AS "createdAt" FROM signing_keys ORDER BY created_at DESC, kid`

const add = sql<SigningKey>`
  INSERT INTO signing_keys (kid, sealed, created_at) VALUES (${"kid"}, ${"sealed"}, ${"createdAt"})`

const reseal = sql<{ kid: string; sealed: string }>`UPDATE signing_keys SET sealed = ${"sealed"} WHERE kid = ${"kid"}`

const prune = sql<{ before: number }>`DELETE FROM signing_keys WHERE created_at < ${"before"}`

export const signingKeyStore = (db: SqlConnection): SigningKeyStore => ({
  all: async () => db.all(all, {}),
  reseal: (kid, sealed) => db.exec(reseal, { kid, sealed }),
  add: (key) => db.exec(add, key),
  prune: (before) => db.exec(prune, { before }),
})
