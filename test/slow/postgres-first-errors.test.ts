import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { CannotStart } from "../../src/core/kernel/cannot-start.ts"
import { openPostgresTarget } from "../../src/parts/replicas/postgres/copy-ends.ts"
import { migratePostgres, openPostgres, openPostgresReader } from "../../src/parts/replicas/postgres/open.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { queryValues } from "../harness/replicated-postgres.ts"

describe("a PostgreSQL database that the service cannot use is refused in one sentence with the statement that cures it", {
  skip: withoutPostgres,
}, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
    await queryValues(server.url, "CREATE ROLE visitor LOGIN PASSWORD 'hidden'")
  })
  after(() => server[Symbol.asyncDispose]())

  const asVisitor = (url: string) => Object.assign(new URL(url), { username: "visitor", password: "hidden" }).href
  const startService = async (url: string) => (await openPostgres(url, { connections: 2 })).close()
  /** What a start, and the commands migrate, copy, backup and doctor open first. */
  const ways = [
    startService,
    migratePostgres,
    (url: string) => openPostgresTarget(url, "copy of x", []),
    openPostgresReader,
  ]

  const cases = [
    {
      what: "a schema that its user may not use to create tables",
      prepare: "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      says: /permission denied for schema public\. .*GRANT USAGE, CREATE ON SCHEMA public TO USER/,
      cure: "GRANT USAGE, CREATE ON SCHEMA public TO visitor",
      ways: ways.slice(0, 3),
    },
    {
      what: "no schema",
      prepare: "DROP SCHEMA public CASCADE",
      says: /no schema for the tables\. .*CREATE SCHEMA petstore AUTHORIZATION USER/,
      cure: "CREATE SCHEMA petstore AUTHORIZATION visitor; ALTER ROLE visitor SET search_path = petstore",
      ways: ways.slice(0, 3),
    },
    {
      what: "tables of another user",
      prepare:
        "CREATE TABLE schema_version (id BIGINT PRIMARY KEY, version BIGINT NOT NULL); INSERT INTO schema_version VALUES (1, 3)",
      says: /permission denied for table schema_version\. .*REASSIGN OWNED BY OWNER TO USER/,
      cure: "DROP TABLE schema_version; GRANT CREATE ON SCHEMA public TO visitor",
      ways,
    },
  ]
  for (const { what, prepare, says, cure, ways } of cases)
    test(`with ${what}`, async () => {
      const url = await server.createDatabase()
      await queryValues(url, "ALTER ROLE visitor RESET search_path")
      await runAll(url, prepare)
      for (const open of ways) await assert.rejects(open(asVisitor(url)), isRefusal(says))
      await runAll(url, cure)
      await startService(asVisitor(url))
    })

  for (const encoding of ["LATIN1", "SQL_ASCII"])
    test(`with the encoding ${encoding}`, async () => {
      const name = `of_${encoding.toLowerCase()}`
      await queryValues(server.url, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
      const url = Object.assign(new URL(server.url), { pathname: name }).href
      const says = /encoding \w+, .*CREATE DATABASE petstore ENCODING 'UTF8' TEMPLATE template0/
      for (const open of ways) await assert.rejects(open(url), isRefusal(says))
    })
})

async function runAll(url: string, statements: string): Promise<void> {
  for (const statement of statements.split("; ")) await queryValues(url, statement)
}

function isRefusal(says: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof CannotStart, String((error as Error).stack))
    assert.match(error.message, says)
    assert.doesNotMatch(error.message, /\n|visitor|hidden/)
    return true
  }
}
