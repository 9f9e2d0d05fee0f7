import type { Account, Plan } from "../../../domain/accounts/contract.ts"
import type { AccountStore } from "../../../domain/accounts/store.ts"
import { pageOf } from "../../../kernel/page.ts"
import { idMax } from "../../../kernel/schema/schema.ts"
import { type Connection, forUpdate, sql } from "../statement.ts"

const add = sql<{ name: string; plan: Plan }, Account>`
  INSERT INTO accounts (name, plan) VALUES (${"name"}, ${"plan"}) RETURNING id, name, plan`

const read = sql<{ id: number }, Account>`
  SELECT id, name, plan FROM accounts WHERE id = ${"id"}`

const first = sql<Record<never, never>, Account>`
  SELECT id, name, plan FROM accounts ORDER BY id LIMIT 1`

const list = sql<{ before: number; limit: number }, Account>`
  SELECT id, name, plan FROM accounts WHERE id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

const change = sql<{ name: string | null; plan: Plan | null; id: number }, Account>`
  UPDATE accounts SET name = coalesce(${"name"}, name), plan = coalesce(${"plan"}, plan)
  WHERE id = ${"id"} RETURNING id, name, plan`

const lock = sql<{ id: number }, { id: number }>`
  SELECT id FROM accounts WHERE id = ${"id"} ${forUpdate}`

/** Until the transaction ends nobody else adds to what is counted under this lock. */
export async function lockAccount(db: Connection, id: number): Promise<void> {
  await db.one(lock, { id })
}

export const accountStore = (db: Connection): AccountStore => ({
  add: async ({ name, plan }) => (await db.one(add, { name, plan })) as Account,
  first: async () => db.one(first, {}),
  read: async (id) => db.one(read, { id }),
  async list({ before = idMax + 1, limit }) {
    return pageOf(await db.all(list, { before, limit: limit + 1 }), limit, (account) => account)
  },
  change: async (id, { name = null, plan = null }) => db.one(change, { name, plan, id }),
})
