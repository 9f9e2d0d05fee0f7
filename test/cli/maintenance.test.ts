import assert from "node:assert/strict"
import { test } from "node:test"
import { migrations } from "../../src/core/sql/migrations.ts"
import { onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"

test("a copy has a source and a target, both with images or without", async () => {
  const databases = ["--from", "sqlite:a.db", "--to", "sqlite:b.db"]
  const images = ["--from-images", "file:a", "--to-images", "file:b"]
  for (const [flags, message] of [
    [databases.slice(0, 2), "--from and --to are required"],
    [databases.slice(2), "--from and --to are required"],
    [[...databases, ...images.slice(0, 2)], "--from-images and --to-images must be given together"],
    [[...databases, ...images.slice(2)], "--from-images and --to-images must be given together"],
  ] as const) {
    const { code, err } = await onMachine("/nowhere", ["copy", ...flags])
    assert.deepEqual([code, err], [2, `petstore: ${message}\n`])
  }
})

test("a migration says which versions the schema had and has", async () => {
  using directory = temporaryDirectory()
  const database = `${directory.path}/petstore.db`
  const newest = migrations.length
  for (const done of [`was migrated from schema version 0 to ${newest}`, `already has schema version ${newest}`])
    assert.deepEqual(await onMachine(directory.path, ["migrate"]), { code: 0, out: `${database} ${done}\n`, err: "" })
})

test("administration of a stopped service is refused before its first start, also as JSON", async () => {
  using directory = temporaryDirectory()
  assert.equal((await onMachine(directory.path, ["migrate"])).code, 0)
  const error = "There is no data yet. The first start of the service creates the first key."
  assert.deepEqual(await onMachine(directory.path, ["admin", "create-key"]), { code: 1, out: "", err: `${error}\n` })
  const asJson = await onMachine(directory.path, ["admin", "create-key", "--json"])
  assert.deepEqual(asJson, { code: 1, out: `${JSON.stringify({ error })}\n`, err: "" })
})
