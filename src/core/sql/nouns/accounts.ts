import type { Account, Plan } from "../../domain/accounts/contract.ts"
import type { AccountStore } from "../../domain/accounts/store.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { storeHash } from "../hashes/hashes.ts"
import { type PageRow, readOne, readPage, theRow } from "../rows.ts"
import { forUpdate, fragment, type None, type Row, type SqlConnection, type Statement, sql } from "../statement.ts"

type AccountRow = Account & { hashed: string }

const columns = fragment<None>`id, name, plan, ${hashedIn("accounts")} AS "hashed"`

const add = sql<{ name: string; plan: Plan }, Account>`
  INSERT INTO accounts (name, plan) VALUES (${"name"}, ${"plan"}) RETURNING id, name, plan`

const read = sql<{ id: number }, AccountRow>`SELECT ${columns} FROM accounts WHERE id = ${"id"}`

const first = sql<None, AccountRow>`SELECT ${columns} FROM accounts ORDER BY id LIMIT 1`

const list = sql<PageRow, AccountRow>`
  SELECT ${columns} FROM accounts WHERE id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}`

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
  async add({ name, plan }) {
    const account = await theRow(db, add, { name, plan })
    await storeHash(db, "accounts", account.id)
    return account
  },
  first: async () => readOne(db, first, {}, toAccount),
  read: async (id) => readOne(db, read, { id }, toAccount),
  list: (page) => readPage(db, list, {}, page, toAccount),
  async change(id, { name, plan }) {
    // Readers keep orders with the name of their account.
    db.noteText?.("orders")
    await db.one(lock, { id })
    if (!(await this.read(id))) return undefined
    const account = await theRow(db, change, { name, plan, id })
    await storeHash(db, "accounts", id)
    return account
  },
})

function toAccount({ hashed, ...account }: AccountRow): Account {
  requireIntactColumns("accounts", hashed)
  return account
}
