import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import type { StoredImage } from "../domain/images/store.ts"
import type { Store } from "../domain/ports/store.ts"
import { programFile } from "../program.ts"
import { openDiskBlobs } from "../storage/disk/blobs.ts"
import { sampleImages, samplePictureHashes } from "./sample-images.ts"

const sampleOf = (picture: string, edge: number) => readFileSync(programFile(`sandbox/images/${picture}-${edge}.webp`))

test("a sample image is stored once, also when the rows of the store are gone, unless its files are", async () => {
  using directory = temporaryDirectory()
  const kept = join(directory.path, "kept")
  const blobs = openDiskBlobs(directory.path)
  let row: StoredImage | undefined
  const storeOf = () => ({ images: { read: async () => row } }) as unknown as Store
  const keep = sampleImages(storeOf(), blobs)

  const [image] = [...(await keep(["cat-1", "cat-1"], 1_000)).values()]
  assert.ok(image)
  assert.deepEqual(image, {
    sha256: hash("sha256", sampleOf("cat-1", 640)),
    type: "image/webp",
    width: 640,
    height: 640,
    frames: 1,
    bytes: {
      original: sampleOf("cat-1", 640).length,
      "320": sampleOf("cat-1", 320).length,
      "1280": sampleOf("cat-1", 640).length,
    },
    blob: image.blob,
  })
  assert.ok((await samplePictureHashes()).has(image.sha256))
  for (const [part, edge] of [
    ["original", 640],
    ["320", 320],
    ["1280", 640],
  ] as const)
    assert.deepEqual(readFileSync(join(kept, image.blob, part)), sampleOf("cat-1", edge))
  assert.deepEqual(await keep(["cat-1"], 2_000), new Map([["cat-1", image]]))
  assert.deepEqual(readdirSync(kept), [image.blob])

  row = { ...image, blob: "of an earlier process" }
  assert.notEqual((await sampleImages(storeOf(), blobs)(["cat-1"], 3_000)).get("cat-1")?.blob, row.blob)
  row = image
  assert.deepEqual((await sampleImages(storeOf(), blobs)(["cat-1"], 4_000)).get("cat-1"), image)
  rmSync(join(kept, image.blob), { recursive: true })
  const again = (await keep(["cat-1"], 5_000)).get("cat-1")
  assert.ok(again && again.blob !== image.blob && readdirSync(kept).includes(again.blob))
})
