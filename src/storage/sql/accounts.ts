import type { Account, Plan } from "../../domain/accounts/contract.ts"
import type { AccountStore } from "../../domain/accounts/store.ts"
import { type Connection, sql } from "./statement.ts"

const add = sql<{ name: string; plan: Plan }, Account>`
  INSERT INTO accounts (name, plan) VALUES (${"name"}, ${"plan"}) RETURNING id, name, plan`

const read = sql<{ id: number }, Account>`
  SELECT id, name, plan FROM accounts WHERE id = ${"id"}`

export const accountStore = (db: Connection): AccountStore => ({
  add: async ({ name, plan }) => (await db.one(add, { name, plan })) as Account,
  read: (id) => db.one(read, { id }),
})
