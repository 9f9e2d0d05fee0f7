import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { makeInstallation } from "../../../test/harness/small-backup.ts"
import { forgetImages } from "./forget-images.ts"

test("images that no pet refers to are deleted and no longer counted; the others stay", async () => {
  using directory = temporaryDirectory()
  const { database } = await makeInstallation(directory.path, 3)
  const file = database.kind === "sqlite" ? database.file : ""
  using db = new DatabaseSync(file)
  const images = () =>
    db
      .prepare("SELECT sha256 FROM images ORDER BY sha256")
      .all()
      .map(({ sha256 }) => String(sha256))
  const all = images()
  const [unused = "", needed = "", other = ""] = all
  const countedBytes = () => Number(db.prepare("SELECT bytes FROM image_bytes").get()?.bytes)
  const bytesOf = (sha256: string) => Number(db.prepare("SELECT bytes FROM images WHERE sha256 = ?").get(sha256)?.bytes)
  db.prepare("DELETE FROM pet_images WHERE sha256 = ?").run(unused)
  db.prepare("DELETE FROM pet_images WHERE sha256 = ?").run(other)
  const expected = countedBytes() - bytesOf(unused)
  assert.deepEqual(forgetImages(file, [unused, needed]), [needed])
  assert.deepEqual([images(), countedBytes()], [[needed, other], expected])
})
