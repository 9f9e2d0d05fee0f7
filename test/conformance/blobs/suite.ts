import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { perPart } from "../../../src/core/domain/images/contract.ts"
import type { BlobStore } from "../../../src/core/domain/ports/blobs.ts"
import { recording, testCompleteness } from "../recording.ts"

/** A blob store under test, new and empty. */
type BlobsUnderTest = {
  blobs: BlobStore
  /** Whether clients can read from it directly. */
  hasAddresses: boolean
  /** Removes the smallest copy of an image, as an accident would. */
  removePart(key: string): Promise<void>
  /** Does what an operator does to allow one unusually large sweep. */
  agreeToSweep(): Promise<void>
}

/** The requirements for every blob store. Each adapter runs it against the real storage. */
export function blobConformance(adapter: string, open: () => Promise<BlobsUnderTest>): void {
  describe(`${adapter} as a blob store`, () => {
    const recorded = recording()
    let blobs: BlobStore
    let agreeToSweep: BlobsUnderTest["agreeToSweep"]
    let removePart: BlobsUnderTest["removePart"]
    let hasAddresses: boolean
    before(async () => {
      const opened = await open()
      blobs = recorded.watch(opened.blobs)
      agreeToSweep = opened.agreeToSweep
      removePart = opened.removePart
      hasAddresses = opened.hasAddresses
    })

    const once = async function* (bytes: Uint8Array) {
      yield bytes
    }
    async function kept(content: string, at = 1000): Promise<string> {
      await using stage = await blobs.stage(at)
      const write = (part: string) => stage.write(part, once(Buffer.from(`${part} ${content}`)))
      const [original, small, large] = [await write("original"), await write("320"), await write("1280")]
      return await blobs.keep({ original, "320": small, "1280": large }, at)
    }
    const read = async (key: string, range = { start: 0, end: 1_000_000 }) => {
      const bytes = await blobs.read(key, "original", range)
      return bytes && Buffer.concat(await Array.fromAsync(bytes)).toString()
    }
    const keys = (before: number) => Array.fromAsync(blobs.keptBefore(before))

    test("every part reads back, whole and in ranges", async () => {
      const key = await kept("image")
      for (const part of ["original", "320", "1280"] as const) {
        const bytes = await blobs.read(key, part, { start: 0, end: 99 })
        assert.equal(Buffer.concat(await Array.fromAsync(bytes ?? [])).toString(), `${part} image`)
      }
      assert.equal(await read(key, { start: 9, end: 11 }), "ima")
      assert.equal(await read(key, { start: 13, end: 13 }), "e")
    })

    test("a part with an address can be read there by anyone, with the requested headers", async () => {
      const key = await kept("public")
      const address = await blobs.address(key, "320", { type: "image/webp", cacheControl: "max-age=7" })
      assert.equal(address !== undefined, hasAddresses)
      if (address === undefined) return
      const response = await fetch(address, { headers: { range: "bytes=4-9" } })
      assert.deepEqual({ status: response.status, body: await response.text() }, { status: 206, body: "public" })
      assert.equal(response.headers.get("content-type"), "image/webp")
      assert.equal(response.headers.get("cache-control"), "max-age=7")
    })

    test("keys are never reused, even for equal bytes at the same time", async () => {
      const given = await Promise.all(Array.from({ length: 20 }, () => kept("same")))
      assert.equal(new Set(given).size, 20)
      for (const key of given) assert.equal(await read(key), "original same")
    })

    test("bytes are stored under a given key, again after it was removed", async () => {
      const key = await kept("before")
      for (const content of ["after", "and again"]) {
        await blobs.remove(key)
        await using stage = await blobs.stage(1000)
        const write = (part: string) => stage.write(part, once(Buffer.from(`${part} ${content}`)))
        const parts = { original: await write("original"), "320": await write("320"), "1280": await write("1280") }
        assert.equal(await blobs.keep(parts, 1000, key), key)
        assert.equal(await read(key), `original ${content}`)
      }
    })

    test("a removed key does not exist, removing it again is no error, and its neighbours remain", async () => {
      const [gone, stays] = [await kept("gone"), await kept("stays")]
      await Promise.all([blobs.remove(gone), blobs.remove(gone)])
      await blobs.remove(gone)
      assert.equal(await read(gone), undefined)
      assert.equal(await read(stays), "original stays")
    })

    test("a reader that has started reads to the end, even if the key is removed meanwhile", async () => {
      const long = "x".repeat(2 * 1024 * 1024)
      const key = await kept(long)
      const bytes = await blobs.read(key, "original", { start: 0, end: long.length + 8 })
      const reader = (bytes as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      let count = ((await reader.next()).value as Uint8Array).length
      await blobs.remove(key)
      for (let next = await reader.next(); !next.done; next = await reader.next()) count += next.value.length
      assert.equal(count, long.length + "original ".length)
    })

    test("keys are listed by creation time", async () => {
      const [early, late] = [await kept("early", 5000), await kept("late", 6000)]
      const before = await keys(6000)
      assert.ok(before.includes(early) && !before.includes(late))
      assert.ok((await keys(6001)).includes(late))
    })

    test("keys that lack a part are found; a trashed key lacks none", async () => {
      const all = await Promise.all(Array.from({ length: 12 }, (_, n) => kept(`complete ${n}`, 20_000 + n)))
      const [first = "", , gone = "", thrown = ""] = all
      const never = `${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}`
      await blobs.remove(gone)
      await blobs.trash(thrown, 0)
      assert.deepEqual(await blobs.incomplete(all), [gone])
      assert.deepEqual(await blobs.incomplete([first]), [])
      assert.deepEqual(await blobs.incomplete([never]), [never])
      assert.deepEqual((await blobs.incomplete([...all.toReversed(), never])).sort(), [gone, never].sort())
      assert.deepEqual(await blobs.incomplete([]), [])
      await removePart(first)
      assert.deepEqual(await blobs.incomplete(all.slice(0, 2)), [first])
      for (const key of all) await blobs.remove(key)
    })

    const day = 24 * 60 * 60 * 1000
    const trashed = () => Array.fromAsync(blobs.trashed())

    test("a trashed key is not listed, and is restored when it is requested or read", async () => {
      const key = await kept("precious", 3000)
      await blobs.trash(key, day)
      await blobs.trash(key, day)
      assert.ok(!(await keys(4000)).includes(key) && (await trashed()).includes(key))
      assert.deepEqual([await blobs.restore(key), await blobs.restore(key)], [true, false])
      assert.ok((await keys(4000)).includes(key) && !(await trashed()).includes(key))

      await blobs.trash(key, day)
      assert.equal(await read(key), "original precious")
      assert.ok((await keys(4000)).includes(key))
      await blobs.trash(key, day)
      await blobs.remove(key)
      assert.equal(await read(key), undefined)
    })

    test("emptying the trash removes keys trashed before a time, to the day, and no others", async () => {
      const [old, fresh] = [await kept("old"), await kept("fresh")]
      await blobs.trash(old, 10 * day)
      await blobs.trash(fresh, 11 * day)
      assert.equal(await blobs.emptyTrash(11 * day - 1), 0)
      assert.equal(await blobs.emptyTrash(11 * day), 1)
      assert.deepEqual(await trashed(), [fresh])
      assert.deepEqual({ old: await read(old), fresh: await read(fresh) }, { old: undefined, fresh: "original fresh" })
    })

    test("it belongs to one database, permanently", async () => {
      assert.equal(await blobs.owner(), undefined)
      await blobs.claim("one")
      assert.equal(await blobs.owner(), "one")
      await assert.rejects(blobs.claim("another"))
      assert.equal(await blobs.owner(), "one")
    })

    test("nothing is stored when a part is missing", async () => {
      const count = (await keys(Number.MAX_SAFE_INTEGER)).length
      await using stage = await blobs.stage(7000)
      const only = await stage.write("original", once(Buffer.from("lonely")))
      await assert.rejects(blobs.keep({ ...perPart(() => `${stage.path}/absent`), original: only }, 7000))
      assert.equal((await keys(Number.MAX_SAFE_INTEGER)).length, count)
    })

    test("disposing of a stage removes its contents; stages of a killed process are cleared by age", async () => {
      const [left, fresh] = [await blobs.stage(8000), await blobs.stage(9000)]
      await blobs.clearStages(9000)
      await assert.rejects(left.write("late", once(Buffer.from("x"))))
      await fresh.write("file", once(Buffer.from("x")))
      await fresh[Symbol.asyncDispose]()
      await assert.rejects(fresh.write("late", once(Buffer.from("x"))))
    })

    test("errors from reading the bytes are rethrown", async () => {
      const failure = new Error("gone")
      await using stage = await blobs.stage(1)
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from("x")
        throw failure
      }
      await assert.rejects(stage.write("file", failing()), failure)
    })

    test("an operator's agreement to an unusually large sweep is valid once", async () => {
      assert.equal(await blobs.mayTrashMany(), false)
      await agreeToSweep()
      assert.deepEqual([await blobs.mayTrashMany(), await blobs.mayTrashMany()], [true, false])
    })

    testCompleteness(recorded)
  })
}
