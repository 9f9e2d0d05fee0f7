import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { createBlobKey } from "../disk/blob-key.ts"
import { openDiskBlobs } from "../disk/blobs.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { openSqlite } from "../sqlite/open.ts"
import { bindBlobs } from "./blob-binding.ts"

/** Binds so many images, of which a new database knows some; returns the owner that they have then. */
async function bind(all: number, known: number, owner?: string): Promise<"this" | "another" | undefined> {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  const blobs = openDiskBlobs(join(directory.path, "images"))
  try {
    if (owner !== undefined) await blobs.claim(owner)
    await store.transaction(async (tx) => {
      const { id } = await tx.accounts.add({ name: "a", plan: "free" })
      for (let n = 0; n < all; n++) {
        const blob = createBlobKey(n)
        mkdirSync(join(directory.path, "images/kept", blob))
        const image = { type: "image/png", width: 1, height: 1, frames: 1 } as const
        const bytes = { original: 1, "320": 1, "1280": 1 }
        if (n < known) await tx.images.add({ ...image, sha256: String(n).padStart(64, "0"), blob, bytes }, id)
      }
    })
    await bindBlobs(store, blobs, "the place")
    return (await blobs.owner()) === (await store.origin.identity()) ? "this" : "another"
  } finally {
    await store.close()
  }
}

const cannotStart = (message: string) => (error: Error) => {
  assert.ok(error instanceof CannotStart && error.message.startsWith(`${message}. Start with the database they belong`))
  return true
}

test("images without an owner are claimed when the database knows at least half of them (slow)", async () => {
  for (const [all, known] of [
    [0, 0],
    [1, 1],
    [2, 1],
    [5, 3],
  ] as const)
    assert.equal(await bind(all, known), "this")
  for (const [all, known] of [
    [1, 0],
    [3, 1],
    [5, 2],
  ] as const)
    await assert.rejects(bind(all, known), cannotStart(`The database knows ${known} of the ${all} images in the place`))
})

test("images of another database are refused, however many of them this one knows", async () => {
  await assert.rejects(bind(3, 3, "another"), cannotStart("The images in the place belong to another database"))
})
