import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../test/harness/directory.ts"
import { countAllOpen } from "../test/harness/open-files.ts"
import { sandboxFileBytesMax } from "./domain/sandbox/file/contract.ts"
import { neutralUrl } from "./sandbox/address.ts"
import { sandboxClocks } from "./sandbox/clock.ts"
import { sandboxSources } from "./sandbox-sources.ts"
import { openTemporaryData, type TemporaryData } from "./storage/temporary.ts"

async function fill(home: TemporaryData): Promise<void> {
  const store = home.openDatabase()
  await store.transaction((tx) => tx.origin.put("sandbox", "its id"))
  home.openBlobs()
  await store.close()
}

test("a sandbox whose images are not larger than a file is saved, and nothing that was made for that is left", async () => {
  using directory = temporaryDirectory()
  await using temporaryData = openTemporaryData(join(directory.path, "temporary"), fill, (error) =>
    assert.fail(String(error)),
  )
  const real = { clock: { now: () => 1_000 }, steady: { now: () => 5 } }
  const keys = { secretKey: Buffer.alloc(32, 1), dataDir: directory.path }
  const sources = sandboxSources(real, { kind: "seed", seed: "empty" }, temporaryData, keys)
  const made = await temporaryData.make()
  let flushed = 0
  const save = async (imageBytes: number) => {
    const text = await sources.save({
      data: { ...made, imageBytes: () => imageBytes },
      clocks: sandboxClocks(real, { start: { at: undefined, isFrozen: false } }),
      keys,
      flush: async () => void flushed++,
    })
    return text && JSON.parse(text).data
  }
  const [filesBefore, openBefore] = [readdirSync(directory.path, { recursive: true }), countAllOpen()]
  assert.equal(await save(sandboxFileBytesMax + 1), undefined)
  const { format, clock, sealingKey, tables, images } = await save(sandboxFileBytesMax)
  assert.deepEqual(
    { format, clock, sealingKey, origin: tables.origin, images, flushed },
    {
      format: "petstore-sandbox",
      clock: { time: 1_000, steady: 5, frozen: false, start: null, startsFrozen: false },
      sealingKey: keys.secretKey.toString("base64"),
      origin: [
        ["profile", "store_id", "public_url"],
        ["sandbox", "", neutralUrl],
      ],
      images: {},
      flushed: 1,
    },
  )
  assert.deepEqual([readdirSync(directory.path, { recursive: true }), countAllOpen()], [filesBefore, openBefore])
})
