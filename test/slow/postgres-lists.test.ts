import assert from "node:assert/strict"
import { test } from "node:test"
import { Client } from "pg"
import { postgresDialect } from "../../src/storage/postgres/dialect.ts"
import { migratePostgres } from "../../src/storage/postgres/open.ts"
import { statements } from "../../src/storage/sql/statement.ts"
import "../../src/storage/sql/store.ts"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"

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

const start = { descending: { after: 9e15, key: "~", end: "" }, ascending: { after: 0, key: "", end: "~" } }
const statusFilters = [
  { status1: "available", status2: null, status3: null },
  { status1: "sold", status2: null, status3: null },
  { status1: "available", status2: "pending", status3: "sold" },
]

test("every list of pets on PostgreSQL reads only a page of a status, with any kind of plan", {
  skip: withoutPostgres,
}, async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  await migratePostgres(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  await using connected = new AsyncDisposableStack()
  connected.defer(() => client.end())
  await client.query(fill)
  const lists = statements.filter(({ names }) => names.includes("status3"))
  assert.equal(lists.length, 12)

  for (const mode of ["force_generic_plan", "force_custom_plan"]) {
    await client.query(`SET plan_cache_mode = ${mode}`)
    for (const { text, names } of lists) {
      const sql = text(postgresDialect)
      await client.query(`PREPARE list AS ${sql}`)
      for (const statuses of statusFilters) {
        const place = start[sql.includes("DESC") ? "descending" : "ascending"]
        const values: Record<string, string | number | null> = {
          ...place,
          ...statuses,
          labelId: 3,
          limit: 100,
          bytesMax: 10_000,
        }
        const bound = names.map((name) => client.escapeLiteral(String(values[name])))
        const parameters = names.map((name, n) => (values[name] === null ? "NULL" : bound[n]))
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
        assert.ok(blocks <= blocksMax, `${mode}: ${blocks} blocks for ${JSON.stringify(statuses)} by ${sql}`)
      }
      await client.query("DEALLOCATE list")
    }
  }
})
