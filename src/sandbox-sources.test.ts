import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { manualClock } from "../test/harness/clock.ts"
import { temporaryDirectory } from "../test/harness/directory.ts"
import { cannotListOpenFiles, countAllOpen } from "../test/harness/open-files.ts"
import { sandboxFileBytesMax } from "./domain/sandbox/file/contract.ts"
import { sandboxClocks } from "./sandbox/clock.ts"
import { sandboxSources } from "./sandbox-sources.ts"
import { openTemporaryData, type TemporaryData } from "./storage/temporary.ts"

/** An empty sandbox that pretends to have so many bytes of images. */
async function sandboxWith(imageBytes: number) {
  await using opened = new AsyncDisposableStack()
  const directory = opened.use(temporaryDirectory())
  const fill = async (home: TemporaryData) => {
    home.openBlobs()
    const store = home.openDatabase()
    await store.transaction((tx) => tx.origin.put("sandbox", "a"))
    await store.close()
  }
  const stores = opened.use(
    openTemporaryData(join(directory.path, "temporary"), fill, (error) => assert.fail(`${error}`)),
  )
  const clock = manualClock()
  const real = { clock, steady: clock.steady }
  const keys = { secretKey: Buffer.alloc(32), dataDir: directory.path }
  const sources = sandboxSources(real, { kind: "seed", seed: "empty" }, stores, keys)
  const calls: string[] = []
  const sandbox = {
    data: { ...(await stores.make()), imageBytes: () => imageBytes },
    clocks: sandboxClocks(real, { start: { at: undefined, isFrozen: false } }),
    keys,
    flush: async () => calls.push("flush"),
  }
  const kept = opened.move()
  return {
    calls,
    save: () => sources.save(sandbox),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test("a sandbox is saved unless its images are larger than a file may be", async () => {
  for (const [bytes, isSaved] of [
    [sandboxFileBytesMax, true],
    [sandboxFileBytesMax + 1, false],
  ] as const) {
    await using sandbox = await sandboxWith(bytes)
    const text = await sandbox.save()
    assert.deepEqual([text !== undefined, sandbox.calls], [isSaved, isSaved ? ["flush"] : []])
  }
})

test("saving a sandbox leaves no file open", { skip: cannotListOpenFiles }, async () => {
  await using sandbox = await sandboxWith(0)
  await sandbox.save()
  const before = countAllOpen()
  await sandbox.save()
  assert.equal(countAllOpen(), before)
})
