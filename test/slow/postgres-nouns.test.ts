import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"

const root = join(import.meta.dirname, "..", "..")

/** Tests of the nouns, and tests that call all endpoints with arbitrary input. */
const files = [
  "test/together/nouns.ts",
  "test/oauth/oauth.test.ts",
  "test/contract.test.ts",
  "test/http/classic/*.test.ts",
  "test/properties/*.test.ts",
  "test/mcp/oauth.test.ts",
  "test/sandbox/explain.test.ts",
  "test/journeys/new-status.test.ts",
  "test/slow/any-request.test.ts",
]

test("every noun behaves on PostgreSQL as on SQLite", { skip: withoutPostgres }, async () => {
  await using server = await startPostgres()
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [join(root, "bin", "test.mjs"), ...files], {
    cwd: root,
    // The reduced effort is sufficient: the full effort runs on SQLite.
    env: { ...env, TEST_DATABASE: server.url, CI: "" },
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")])
  assert.equal(code, 0, output)
  assert.ok(Number(/^ℹ pass (\d+)$/m.exec(output)?.[1]) >= 230, output)
})
