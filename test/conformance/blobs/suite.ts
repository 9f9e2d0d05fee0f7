import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { perPart } from "../../../src/domain/images/contract.ts"
import type { BlobStore } from "../../../src/domain/ports/blobs.ts"
import { recording, testCompleteness } from "../recording.ts"

/** A new, empty blob store under test. */
type BlobsUnderTest = {
  blobs: BlobStore
  /** Whether clients read from it directly. */
  hasAddresses: boolean
  /** Deletes the smallest copy of an image, as an accident would. */
  removePart(key: string): Promise<void>
  /** Allows one unusually large sweep, as an operator would. */
  agreeToSweep(): Promise<void>
}

/** The required behaviour of every blob store. Each adapter runs it against the real storage. */
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

    test("every part can be read, whole and in ranges", async () => {
      const key = await kept("image")
      for (const part of ["original", "320", "1280"] as const) {
        const bytes = await blobs.read(key, part, { start: 0, end: 99 })
        assert.equal(Buffer.concat(await Array.fromAsync(bytes ?? [])).toString(), `${part} image`)
      }
      assert.equal(await read(key, { start: 9, end: 11 }), "ima")
      assert.equal(await read(key, { start: 13, end: 13 }), "e")
    })

    test("a part with an address is publicly readable there, with the requested headers", async () => {
      const key = await kept("public")
      const address = await blobs.address(key, "320", { type: "image/webp", cacheControl: "max-age=7" })
      assert.equal(address !== undefined, hasAddresses)
      if (address === undefined) return
      const response = await fetch(address, { headers: { range: "bytes=4-9" } })
      assert.deepEqual([response.status, await response.text()], [206, "public"])
      assert.equal(response.headers.get("content-type"), "image/webp")
      assert.equal(response.headers.get("cache-control"), "max-age=7")
    })

    test("keys are unique, also for equal bytes stored concurrently", async () => {
      const keys = await Promise.all(Array.from({ length: 20 }, () => kept("same")))
      assert.equal(new Set(keys).size, 20)
      for (const key of keys) assert.equal(await read(key), "original same")
    })

    test("bytes can be stored under a given key, also after its removal", async () => {
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

    test("a removed key cannot be read, removing it again is not an error, and other keys remain", async () => {
      const [removed, stays] = [await kept("removed"), await kept("stays")]
      await Promise.all([blobs.remove(removed), blobs.remove(removed)])
      await blobs.remove(removed)
      assert.equal(await read(removed), undefined)
      assert.equal(await read(stays), "original stays")
    })

    test("a read in progress continues to the end when its key is removed", async () => {
      const long = "x".repeat(2 * 1024 * 1024)
      const key = await kept(long)
      const bytes = await blobs.read(key, "original", { start: 0, end: long.length + 8 })
      const reader = (bytes as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      let count = ((await reader.next()).value as Uint8Array).length
      await blobs.remove(key)
      for (let next = await reader.next(); !next.done; next = await reader.next()) count += next.value.length
      assert.equal(count, long.length + "original ".length)
    })

    test("keys are listed by the time they were stored", async () => {
      const [early, late] = [await kept("early", 5000), await kept("late", 6000)]
      const before = await keys(6000)
      assert.ok(before.includes(early) && !before.includes(late))
      assert.ok((await keys(6001)).includes(late))
    })

    test("incomplete names the keys that lack a part, and no key in the trash", async () => {
      const all = await Promise.all(Array.from({ length: 12 }, (_, n) => kept(`complete ${n}`, 20_000 + n)))
      const [first = "", , removed = "", thrown = ""] = all
      const never = `${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}`
      await blobs.remove(removed)
      await blobs.trash(thrown, 0)
      assert.deepEqual(await blobs.incomplete(all), [removed])
      assert.deepEqual(await blobs.incomplete([first]), [])
      assert.deepEqual(await blobs.incomplete([never]), [never])
      assert.deepEqual((await blobs.incomplete([...all.toReversed(), never])).sort(), [removed, never].sort())
      assert.deepEqual(await blobs.incomplete([]), [])
      await removePart(first)
      assert.deepEqual(await blobs.incomplete(all.slice(0, 2)), [first])
      for (const key of all) await blobs.remove(key)
    })

    const day = 24 * 60 * 60 * 1000
    const trashed = () => Array.fromAsync(blobs.trashed())

    test("an image in the trash is not listed, and is restored on request or when it is read", async () => {
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

    test("emptying the trash deletes images trashed before a given day, and no others", async () => {
      const [old, fresh] = [await kept("old"), await kept("fresh")]
      await blobs.trash(old, 10 * day)
      await blobs.trash(fresh, 11 * day)
      assert.equal(await blobs.emptyTrash(11 * day - 1), 0)
      assert.equal(await blobs.emptyTrash(11 * day), 1)
      assert.deepEqual(await trashed(), [fresh])
      assert.deepEqual([await read(old), await read(fresh)], [undefined, "original fresh"])
    })

    test("it is claimed by one database, once", async () => {
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

    test("a stage is removed with its contents; stages of killed processes are removed by age", async () => {
      const [left, fresh] = [await blobs.stage(8000), await blobs.stage(9000)]
      await blobs.clearStages(9000)
      await assert.rejects(left.write("late", once(Buffer.from("x"))))
      await fresh.write("file", once(Buffer.from("x")))
      await fresh[Symbol.asyncDispose]()
      await assert.rejects(fresh.write("late", once(Buffer.from("x"))))
    })

    test("an error while reading the bytes is rethrown", async () => {
      const failure = new Error("read failed")
      await using stage = await blobs.stage(1)
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from("x")
        throw failure
      }
      await assert.rejects(stage.write("file", failing()), failure)
    })

    test("an operator's approval of an unusually large sweep applies once", async () => {
      assert.equal(await blobs.mayTrashMany(), false)
      await agreeToSweep()
      assert.deepEqual([await blobs.mayTrashMany(), await blobs.mayTrashMany()], [true, false])
    })

    testCompleteness(recorded)
  })
}
