import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { type Row, type Statement, statements } from "../../src/core/sql/statement.ts"
import { postgresDialect } from "../../src/parts/replicas/postgres/dialect.ts"
import { migratePostgres } from "../../src/parts/replicas/postgres/open.ts"
import "../../src/core/sql/store.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"

const pets = 100_000
/** Maximum number of 8 KiB blocks for a page of a hundred pets: about seven per pet, which two indexes locate. */
const blocksMax = 1000

/** Most pets are available, some pending and few sold, so that a scan of any index but that of statuses skips many. */
const fill = `
  INSERT INTO categories (name) SELECT 'category ' || n FROM generate_series(1, 20) n;
  INSERT INTO tags (name) SELECT 'tag ' || n FROM generate_series(1, 50) n;
  INSERT INTO pets (id, status, json, etag, category_id, name_key)
    SELECT n, CASE WHEN n % 500 = 0 THEN 'sold' WHEN n % 50 = 1 THEN 'pending' ELSE 'available' END,
      '{"id":' || n || ',"photoUrls":["' || repeat('x', 200) || '"]}', 'e' || n, 1 + n % 20, 'pet ' || n * 7919 % ${pets}
    FROM generate_series(1, ${pets}) n;
  INSERT INTO pet_tags (pet_id, tag_id, status) SELECT id, 1 + id % 50, status FROM pets;
  ANALYZE`

/** Few orders wait, so that a scan of any index but that of statuses skips many. */
const fillOrders = `
  INSERT INTO accounts (name, plan) SELECT 'account ' || n, 'free' FROM generate_series(1, 3) n;
  INSERT INTO orders (id, pet_id, account_id, status, json)
    SELECT n, n, 1 + n % 3, CASE WHEN n % 500 = 0 THEN 'placed' ELSE 'delivered' END, repeat('x', 200)
    FROM generate_series(1, ${pets}) n;
  ANALYZE`

const start = { descending: { after: 9e15, key: "~", end: "" }, ascending: { after: 0, key: "", end: "~" } }
const statusFilters = [
  { status1: "available", status2: null, status3: null },
  { status1: "sold", status2: null, status3: null },
  { status1: "available", status2: "pending", status3: "sold" },
]

describe("on PostgreSQL, with any kind of plan,", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  let client: Client
  before(async () => {
    server = await startPostgres()
    const url = await server.createDatabase()
    await migratePostgres(url)
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(fill)
    await client.query(fillOrders)
  })
  after(async () => {
    await client.end()
    await server[Symbol.asyncDispose]()
  })

  /** Fails if a statement reads more than a page with any of these values. */
  async function assertBounded(statement: Statement<Row, unknown>, all: readonly Values[]) {
    const sql = statement.text(postgresDialect)
    for (const mode of ["force_generic_plan", "force_custom_plan"]) {
      await client.query(`SET plan_cache_mode = ${mode}`)
      await client.query(`PREPARE list AS ${sql}`)
      for (const values of all) {
        const parameters = statement.names.map((name) => {
          const value = values[name]
          return value === null ? "NULL" : client.escapeLiteral(String(value))
        })
        const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE list(${parameters})`)
        const [{ Plan: plan }] = rows[0]["QUERY PLAN"]
        const blocks = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        if (blocks > blocksMax)
          console.log(
            JSON.stringify(
              plan,
              (k, v) => (/Cost|Width|Time|Temp|Local|Dirtied|Written|Parallel|Async|Parent/.test(k) ? undefined : v),
              1,
            ),
          )
        assert.ok(blocks <= blocksMax, `${mode}: ${blocks} blocks for ${JSON.stringify(values)} by ${sql}`)
      }
      await client.query("DEALLOCATE list")
    }
  }

  test("every list of pets reads only a page of a status", async () => {
    const lists = statements.filter(({ names }) => names.includes("status3"))
    assert.equal(lists.length, 22)
    for (const list of lists) {
      const place = start[list.text(postgresDialect).includes("DESC") ? "descending" : "ascending"]
      const bounds = { ...place, labelId: 3, others: "{1,2}", limit: 100, bytesMax: 10_000 }
      await assertBounded(
        list,
        statusFilters.map((statuses) => ({ ...bounds, ...statuses })),
      )
    }
  })

  test("every total of a list counts no more than its bound, also for a rare status", async () => {
    const totals = statements.filter(({ names }) => names.includes("statuses") && names.includes("max"))
    assert.equal(totals.length, 8)
    const bounds = {
      max: 101,
      categories: "{category 3,category 13}",
      key: "pet 1",
      end: "pet 2",
      petId: 500,
      accountId: 2,
    }
    const wanted = ["{category 1,category 2}", "{tag 1,tag 49}", "{tag 3}"]
    for (const total of totals)
      await assertBounded(
        total,
        ["{sold}", "{available,pending,sold}", "{placed}", "{placed,approved,delivered}"].flatMap((statuses) =>
          wanted.map((labels) => ({ ...bounds, statuses, wanted: labels })),
        ),
      )
  })
})

type Values = Record<string, string | number | null>
