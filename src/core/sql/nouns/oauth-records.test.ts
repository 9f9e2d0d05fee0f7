import assert from "node:assert/strict"
import { test } from "node:test"
import { sampleRecord } from "../../../../test/conformance/store/oauth-samples.ts"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import { newUser } from "../../domain/users/rules.ts"
import { repositories } from "../store.ts"

test("only a grant is a consent, which its user keeps an id for", async () => {
  using database = migratedDatabase()
  const tx = repositories(database.connection)
  const { id: accountId } = await tx.accounts.add({ name: "a", plan: "free" })
  await tx.users.add({ user: newUser({ username: "ada", password: "p" }, 1), accountId, passwordHash: "h" })
  const state = () => ({
    consented: database.db.prepare("SELECT has_consented FROM users").get()?.has_consented,
    consents: database.db.prepare("SELECT last FROM counters WHERE name = 'consents'").get()?.last,
  })
  for (const kind of ["Session", "AccessToken", "RefreshToken"])
    await tx.oauthRecords.put(sampleRecord(kind, kind, { userId: 1 }))
  assert.deepEqual(state(), { consented: 0, consents: 0 })
  for (let n = 0; n < 2; n++) await tx.oauthRecords.put(sampleRecord("Grant", "g", { userId: 1 }))
  assert.deepEqual(state(), { consented: 1, consents: 1 })
})
