import type { Account, Plan } from "../../domain/accounts/contract.ts"
import type { AccountStore } from "../../domain/accounts/store.ts"
import { type PageRow, readPage, theRow } from "../rows.ts"
import { forUpdate, type None, type Row, type SqlConnection, type Statement, sql } from "../statement.ts"

const add = sql<{ name: string; plan: Plan }, Account>`
  INSERT INTO accounts (name, plan) VALUES (${"name"}, ${"plan"}) RETURNING id, name, plan`

const read = sql<{ id: number }, Account>`SELECT id, name, plan FROM accounts WHERE id = ${"id"}`

const first = sql<None, Account>`SELECT id, name, plan FROM accounts ORDER BY id LIMIT 1`

const list = sql<PageRow, Account>`
  SELECT id, name, plan FROM accounts WHERE id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

const change = sql<{ name: string | undefined; plan: Plan | undefined; id: number }, Account>`
  UPDATE accounts SET name = coalesce(${"name"}, name), plan = coalesce(${"plan"}, plan)
  WHERE id = ${"id"} RETURNING id, name, plan`

const lock = sql<{ id: number }, { id: number }>`SELECT id FROM accounts WHERE id = ${"id"} ${forUpdate}`

/** Counts what an account has. Until the transaction ends, other transactions wait here before they add to it. */
export async function countOfAccount<In extends Row & { accountId: number }>(
  db: SqlConnection,
  count: Statement<In, { count: number }>,
  values: In,
): Promise<number> {
  await db.one(lock, { id: values.accountId })
  return Number((await theRow(db, count, values)).count)
}

export const accountStore = (db: SqlConnection): AccountStore => ({
  add: ({ name, plan }) => theRow(db, add, { name, plan }),
  first: async () => db.one(first, {}),
  read: async (id) => db.one(read, { id }),
  list: (page) => readPage(db, list, {}, page, (account) => account),
  async change(id, { name, plan }) {
    // Readers keep orders with the name of their account.
    db.noteText?.("orders")
    return db.one(change, { name, plan, id })
  },
})
