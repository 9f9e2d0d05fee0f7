import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { root } from "../harness/together.ts"

test("every noun behaves on PostgreSQL as on SQLite", {
  skip: withoutPostgres,
}, async () => {
  await using server = await startPostgres()
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, [join(root, "bin", "test.mjs"), "test/slow/postgres-nouns/files.ts"], {
    cwd: root,
    // The reduced effort is sufficient: the full effort runs on SQLite.
    env: { ...env, TEST_DATABASE: server.url, TEST_SUITE: "", CI: "" },
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")])
  assert.equal(code, 0, output)
  assert.ok(Number(/^ℹ pass (\d+)$/m.exec(output)?.[1]) >= 150, output)
})
