import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { tablesIn, type WholeTable } from "../../../test/harness/tables.ts"
import { newWebhook } from "../domain/webhooks/rules.ts"
import { openSqlite } from "./open.ts"
import { createDatabase, fillTables, movedTables, newestTables, RowRefused } from "./tables.ts"

type Cell = string | number | null

/** The tables of a store that has been started once, with an account and an event. */
async function tablesOfStore(directory: string): Promise<WholeTable[]> {
  const file = join(directory, "store.db")
  const store = openSqlite(file)
  await store.transaction(async (tx) => {
    await tx.origin.put("sandbox", "s")
    const { id } = await tx.accounts.add({ name: "a", plan: "free" })
    await tx.webhooks.add(newWebhook({ url: "https://a.example/", events: ["*"] }, id, 0), "sealed")
    await tx.events.add("pet.created", { id: 1, name: "p", status: "sold" }, 1)
    await tx.events.publish(1, 10)
    await tx.audit.append([{ principal: "operator", action: "key.created", thing: "key:1" }], 1)
  })
  await store.close()
  return tablesIn(file)
}

async function makeDatabase(file: string, tables: readonly WholeTable[]): Promise<void> {
  using database = createDatabase(file)
  for (const { name, rows } of tables) for (const [n, row] of rows.entries()) database.add(name, row, n)
  await database.finish()
}

/** The tables with other rows in one of them. */
const replace = (tables: readonly WholeTable[], name: string, change: (rows: Cell[][]) => Cell[][]) =>
  tables.map((table) => (table.name === name ? { ...table, rows: change(table.rows.map((row) => [...row])) } : table))

test("every table comes once, after those it refers to, with its columns and the order of its key", () => {
  const tables = newestTables()
  const names = tables.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [table, parent] of [
    ["keys", "accounts"],
    ["pet_tags", "tags"],
    ["pet_tags", "pets"],
    ["pets", "categories"],
    ["deliveries", "events"],
    ["deliveries", "webhooks"],
    ["sessions", "users"],
  ] as const)
    assert.ok(names.includes(parent) && names.indexOf(parent) < names.indexOf(table), `${table} after ${parent}`)
  const find = (name: string) => tables.find((table) => table.name === name)
  assert.deepEqual(find("pet_tags"), {
    name: "pet_tags",
    columns: [
      { name: "tag_id", isInteger: true },
      { name: "status", isInteger: false },
      { name: "pet_id", isInteger: true },
    ],
    key: ["tag_id", "status", "pet_id"],
    hasGeneratedId: false,
  })
  assert.deepEqual([find("events")?.hasGeneratedId, find("pets")?.hasGeneratedId], [true, false])
  const moved = movedTables().map(({ name }) => name)
  assert.deepEqual(
    new Set(names).difference(new Set(moved)),
    new Set(["identity", "leases", "replicas", "clock_checks"]),
  )
  assert.equal(moved.at(-1), "sqlite_sequence")
})

test("a database that is made from the rows of another one has the same rows", async () => {
  using directory = temporaryDirectory()
  const tables = await tablesOfStore(directory.path)
  const copy = join(directory.path, "copy.db")
  await makeDatabase(copy, tables)
  assert.deepEqual(tablesIn(copy), tables)
  assert.equal(tables.find(({ name }) => name === "accounts")?.rows.length, 1)
  using db = new DatabaseSync(copy)
  await fillTables(db, tables)
  assert.deepEqual(db.prepare("PRAGMA foreign_keys").get()?.foreign_keys, 1)
  assert.equal(db.prepare("PRAGMA auto_vacuum").get()?.auto_vacuum, 2, "it can shrink")
  assert.deepEqual(tablesIn(copy), tables)
})

test("rows that a database of this schema cannot have are refused, by table and row (slow)", async () => {
  using directory = temporaryDirectory()
  const tables = await tablesOfStore(directory.path)
  let count = 0
  const refusal = async (name: string, change: (rows: Cell[][]) => Cell[][]) => {
    try {
      await makeDatabase(join(directory.path, `${count++}.db`), replace(tables, name, change))
      return undefined
    } catch (error) {
      assert.ok(error instanceof RowRefused)
      return `${error.table} ${error.row}: ${error.message}`
    }
  }
  const setLast = (name: string, last: number) => (rows: Cell[][]) =>
    rows.map((row) => (row[0] === name || name === "1" ? [row[0] ?? null, last, ...row.slice(2)] : row))
  assert.equal(await refusal("accounts", (rows) => rows), undefined)
  assert.match((await refusal("accounts", ([row = []]) => [row, [2, null, "free"]])) ?? "", /^accounts 1: NOT NULL/)
  assert.match((await refusal("accounts", ([row = []]) => [row, row])) ?? "", /^accounts 1: UNIQUE/)
  assert.match((await refusal("audit_head", () => [])) ?? "", /^audit_head 0: the table must have the rows 1$/)
  assert.match((await refusal("counters", (rows) => rows.slice(1))) ?? "", /^counters 0: the table must have the rows /)
  assert.match(
    (await refusal("inventory", (rows) => rows.slice(1))) ?? "",
    /^inventory 0: the table must have the rows /,
  )
  assert.equal(await refusal("origin", () => []), "origin 0: the table must have a row")
  const inUse = "a number that is given next is in use"
  assert.equal(await refusal("audit_head", setLast("1", 0)), `audit_head 0: ${inUse}`)
  assert.equal(await refusal("audit_head", setLast("1", 1)), undefined)
  assert.equal(await refusal("audit", () => []), undefined, "older entries may have been removed")
  assert.equal(await refusal("counters", setLast("events", 0)), `counters 0: ${inUse}`)
  assert.equal(await refusal("counters", setLast("events", 2)), undefined)
  const key: Cell[] = [1, "s", 9]
  assert.equal(await refusal("pet_tags", () => [key]), "pet_tags 0: refers to missing rows of tags")
})
