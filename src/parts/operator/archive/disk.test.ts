import assert from "node:assert/strict"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { recordFlushes } from "../../../../test/harness/flushes.ts"
import { cannotListOpenFiles } from "../../../../test/harness/open-files.ts"
import { openArchiveDirectory } from "./disk.ts"
import { bytesOf } from "./hash.ts"

test("every file of an archive is flushed, then each directory, and last its name", {
  skip: cannotListOpenFiles,
}, async () => {
  using directory = temporaryDirectory()
  const root = realpathSync(directory.path)
  await using writer = await openArchiveDirectory(join(root, "archive"))
  using flushes = await recordFlushes(root)
  await writer.write("images/a/original", bytesOf("one"))
  writeFileSync(writer.draft("petstore.db"), "database")
  await writer.add("petstore.db")
  const made = (...names: string[]) => names.map((name) => `archive.partial/${name}`)
  assert.deepEqual(flushes.take(), made("images/a/original", "petstore.db"))
  await writer.finish("{}\n")
  assert.deepEqual(flushes.take(), [...made("manifest.json", "images/a", "images"), "archive.partial", "."])
})
