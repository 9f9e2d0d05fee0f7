import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { makeBackup, makeInstallation, type Rewriting, rewrite } from "../../../../test/harness/small-backup.ts"
import { openDirectoryReader } from "../archive/disk.ts"
import type { Manifest } from "../archive/manifest.ts"
import { verifyArchive } from "./verify.ts"

test("an archive whose sums are right and whose database contradicts its manifest or its list of images is refused (slow)", async () => {
  using directory = temporaryDirectory()
  const archive = join(directory.path, "archive")
  await makeBackup(await makeInstallation(join(directory.path, "data"), 2), archive)
  let copies = 0
  const wrongIn = async (rewriting: Rewriting) => {
    const copy = join(directory.path, `copy ${copies++}`)
    await rewrite(archive, copy, rewriting)
    await using reader = await openDirectoryReader(copy)
    return (await verifyArchive(reader, () => {})).wrong.join()
  }
  const described = (more: object) => ({
    manifest: (manifest: Manifest) => ({ ...manifest, database: { ...manifest.database, ...more } }) as Manifest,
  })
  const changed = (statements: string) => ({
    change(path: string) {
      using db = new DatabaseSync(join(path, "petstore.db"))
      db.exec(statements)
    },
  })
  assert.equal(await wrongIn({}), "")
  for (const more of [{ id: "other" }, { schemaVersion: 1 }])
    assert.equal(await wrongIn(described(more)), "the database does not match the manifest")
  const last = "WHERE sha256 = (SELECT max(sha256) FROM images)"
  assert.match(
    await wrongIn(changed(`DELETE FROM pet_images ${last}; DELETE FROM images ${last}`)),
    /^the database has no image with the file images\/[\w-]+\/original$/,
  )
  assert.match(
    await wrongIn(changed("PRAGMA foreign_keys = OFF; DELETE FROM accounts")),
    /rows of webhooks refer to rows of acc/,
  )
})
