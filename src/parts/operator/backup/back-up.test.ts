import assert from "node:assert/strict"
import { readdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { recordFlushes } from "../../../../test/harness/flushes.ts"
import { cannotListOpenFiles } from "../../../../test/harness/open-files.ts"
import { makeBackup, makeInstallation } from "../../../../test/harness/small-backup.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const at = (name: string) => join(directory.path, name)

test("every file of a backup is durable", { skip: cannotListOpenFiles }, async () => {
  const root = realpathSync(directory.path)
  const installation = await makeInstallation(at("durable"), 1)
  using flushes = await recordFlushes(root)
  await makeBackup(installation, join(root, "flushed"))
  const files = readdirSync(join(root, "flushed"), { recursive: true, encoding: "utf8" })
  const flushed = new Set(flushes.take())
  assert.deepEqual(
    files.filter((name) => !flushed.has(`flushed.partial/${name}`)),
    [],
  )
})

test("a damaged database is not backed up, and nothing is left", async () => {
  const installation = await makeInstallation(at("broken"), 0)
  {
    using db = new DatabaseSync(join(at("broken"), "petstore.db"))
    db.exec("PRAGMA foreign_keys = OFF; INSERT INTO pet_tags VALUES (1, 'sold', 1)")
  }
  const damage = "The database is damaged: rows of pet_tags refer to rows of tags that are not there"
  await assert.rejects(makeBackup(installation, at("refused")), new CannotStart(damage))
  assert.ok(!readdirSync(directory.path).some((name) => name.startsWith("refused")))
})
