import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { CannotStart } from "../../src/core/kernel/cannot-start.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { unlessThorough } from "../harness/effort.ts"
import { missingPglite, startPglite } from "../harness/pglite.ts"

describe("PGlite", { skip: unlessThorough || (await missingPglite()) }, () => {
  /** Asserts that the service does not start on this database, for this reason. */
  const refuses = (url: string, reason: RegExp) =>
    assert.rejects(openPostgres(url, { connections: 4, waitMs: 500 }), (error: Error) => {
      assert.ok(error instanceof CannotStart)
      assert.match(error.message, reason)
      return true
    })

  test("with several connections is refused at start, because they share one session", async () => {
    await using server = await startPglite(20)
    for (const prepare of ["", "?prepare=on", "?prepare=off"])
      await refuses(`${server.url}${prepare}`, /all connections in one session, as PGlite does/)
  })

  test("with one connection is refused at start, because the service needs more", async () => {
    await using server = await startPglite(1)
    await refuses(server.url, /cannot be used/)
  })
})
