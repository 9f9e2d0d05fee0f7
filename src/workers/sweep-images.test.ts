import assert from "node:assert/strict"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import type { StoredImage } from "../domain/images/store.ts"
import { createBlobKey } from "../storage/blobs/blob-key.ts"
import { openDiskBlobs } from "../storage/disk/blobs.ts"
import { openSqlite } from "../storage/sqlite/open.ts"
import { createImageSweep, deleteUnreferenced, findMissing, findOrphans, sweepImages } from "./sweep-images.ts"

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const now = 400 * dayMs

const opened = new DisposableStack()
after(() => opened.dispose())

/** A store, and the images of a directory with these keys. */
function openBoth(...keys: string[]) {
  const directory = opened.use(temporaryDirectory())
  const store = openSqlite(join(directory.path, "petstore.db"))
  const blobs = openDiskBlobs(join(directory.path, "images"))
  const kept = join(directory.path, "images/kept")
  for (const key of keys) mkdirSync(join(kept, key))
  return { store, blobs, kept: () => readdirSync(kept).sort() }
}

const image = (n: number, blob = `blob ${n}`): StoredImage => ({
  sha256: String(n).padStart(64, "0"),
  blob,
  type: "image/png",
  width: 1,
  height: 1,
  frames: 1,
  bytes: { original: 1, "320": 1, "1280": 1 },
})

async function addImages(store: ReturnType<typeof openSqlite>, images: readonly StoredImage[]): Promise<void> {
  await store.transaction(async (tx) => {
    const { id } = await tx.accounts.add({ name: "a", plan: "free" })
    for (const one of images) await tx.images.add(one, id)
  })
}

const keysAt = (count: number, at: number) => Array.from({ length: count }, () => createBlobKey(at))
const old = now - hourMs - 1

test("bytes without a row go to the trash an hour after they were stored, and are deleted a week and a day later", async () => {
  const [gone, fresh] = [createBlobKey(old), createBlobKey(old + 1)]
  const { store, blobs, kept } = openBoth(gone, fresh)
  const report = { scanned: 1, orphans: 1, held: false, restored: 0, deleted: 0, emptied: 0 }
  assert.deepEqual(await sweepImages(store, blobs, now), report)
  assert.deepEqual(kept(), [fresh])
  assert.equal((await sweepImages(store, blobs, now + 8 * dayMs - 1)).emptied, 0)
  assert.equal((await sweepImages(store, blobs, now + 8 * dayMs)).emptied, 1)
  await store.close()
})

test("the only writing process knows that bytes from before its start belong to no upload", async () => {
  const keys = [createBlobKey(now - 11), createBlobKey(now - 10)]
  const { store, blobs } = openBoth(...keys)
  assert.equal((await sweepImages(store, blobs, now, now + 1)).scanned, 0, "the clock was set back")
  assert.equal((await sweepImages(store, blobs, now)).scanned, 0)
  await using stage = await blobs.stage(now - 11)
  const write = () => stage.write("original", (async function* () {})())
  await write()
  assert.equal((await sweepImages(store, blobs, now, now - 10)).scanned, 1)
  await assert.rejects(write(), { code: "ENOENT" }, "its stages are cleared")
  assert.equal((await sweepImages(store, blobs, now, now)).scanned, 1)
  await store.close()
})

test("more than ten orphans, and more than a fifth of all, are held back", async () => {
  for (const [orphans, others, held] of [
    [10, 0, false],
    [11, 44, false],
    [11, 43, true],
  ] as const) {
    const known = keysAt(others, old)
    const { store, blobs, kept } = openBoth(...keysAt(orphans, old), ...known)
    await addImages(
      store,
      known.map((key, n) => image(n, key)),
    )
    const report = await sweepImages(store, blobs, now)
    assert.deepEqual([report.held, report.orphans, report.scanned], [held, orphans, orphans + others])
    assert.equal(kept().length, held ? orphans + others : others)
    const lines: [string, object, string][] = []
    const note = (level: string) => (facts: object, text: string) => void lines.push([level, facts, text])
    await createImageSweep(undefined)({
      store,
      blobs,
      clock: { now: () => now },
      log: { warn: note("warn"), info: note("info") },
    })
    assert.deepEqual(
      lines.map(([level, facts, text]) => [level, "held" in facts && facts.held, text.slice(0, 12)]),
      [held ? ["warn", true, "The database"] : ["info", false, "images swept"]],
    )
    await store.close()
  }
})

test("an image to which no pet refers for a day is deleted, in batches, and its bytes with it", async () => {
  const { store } = openBoth()
  await addImages(
    store,
    Array.from({ length: 1001 }, (_, n) => image(n)),
  )
  const removed: string[] = []
  const remove = async (key: string) => void removed.push(key)
  const sweep = (at: number) => deleteUnreferenced(store, { remove }, at)
  assert.equal(await sweep(now), 0, "none of them was referred to")
  await store.transaction(async (tx) => {
    const photoUrls = Array.from({ length: 1001 }, (_, n) => `/images/${image(n).sha256}`)
    const pet = { id: 1, name: "p", photoUrls, tags: [], status: "sold" } as const
    await tx.pets.add([{ ...pet, photoUrls, tags: [] }])
    await tx.pets.remove(1)
  })
  assert.equal(await sweep(now), 0)
  assert.equal(await sweep(now + dayMs), 0)
  assert.equal(await sweep(now + dayMs + 1), 1001)
  assert.equal(new Set(removed).size, 1001)
  await store.close()
})

test("every stored key is compared with the database", async () => {
  const { store } = openBoth()
  await addImages(
    store,
    Array.from({ length: 502 }, (_, n) => image(n)),
  )
  const keptBefore = async function* (before: number) {
    for (let n = 0; n < before; n++) yield `blob ${n}`
  }
  assert.deepEqual(await findOrphans(store, { keptBefore }, 502), { scanned: 502, orphans: [] })
  const { scanned, orphans } = await findOrphans(store, { keptBefore }, 1200)
  assert.deepEqual([scanned, orphans.length, orphans[0], orphans.at(-1)], [1200, 698, "blob 502", "blob 1199"])
  await store.close()
})

test("images that lack files are counted, and the first five are named; those deleted meanwhile are not", async () => {
  for (const count of [500, 1001]) {
    const { store } = openBoth()
    await addImages(
      store,
      Array.from({ length: count }, (_, n) => image(n, `blob ${String(n).padStart(4, "0")}`)),
    )
    const asked: number[] = []
    const incomplete = async (keys: readonly string[]) => {
      asked.push(keys.length)
      return [...keys.filter((key) => key.endsWith("0")), "deleted"]
    }
    assert.deepEqual(await findMissing(store, { incomplete }), {
      count: Math.ceil(count / 10),
      first: ["blob 0000", "blob 0010", "blob 0020", "blob 0030", "blob 0040"],
    })
    assert.deepEqual(asked, count === 500 ? [500, 0] : [500, 500, 1])
    assert.deepEqual(await findMissing(store, { incomplete: async () => [] }), { count: 0, first: [] })
    await store.close()
  }
})
