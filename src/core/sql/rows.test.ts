import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../test/harness/migrated.ts"
import { accountStore } from "./nouns/accounts.ts"
import { withoutNulls } from "./rows.ts"

test("a page starts at the highest id that there can be, or below a position, and names the next one", async () => {
  using database = migratedDatabase()
  const ids = [Number.MAX_SAFE_INTEGER, 8, 7, 6]
  for (const id of ids) database.db.exec(`INSERT INTO accounts (id, name, plan) VALUES (${id}, 'a', 'free')`)
  const accounts = accountStore(database.connection)
  const page = async (limit: number, before?: number) => {
    const { items, next } = await accounts.list({ limit, before })
    return { ids: items.map(({ id }) => id), next }
  }
  assert.deepEqual(await page(4), { ids, next: undefined })
  assert.deepEqual(await page(3), { ids: ids.slice(0, 3), next: 7 })
  assert.deepEqual(await page(3, 8), { ids: [7, 6], next: undefined })
})

test("a member that is stored as null is undefined", () => {
  assert.deepEqual(withoutNulls<{ a: number | undefined; b: number | undefined }>({ a: null, b: 0 }), {
    a: undefined,
    b: 0,
  })
})
