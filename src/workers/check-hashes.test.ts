import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { StoredImage } from "../domain/images/store.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { createHashCheck } from "./check-hashes.ts"

const mebibyte = 1024 * 1024

/** Images with these keys and bytes; those whose content is not their key are damaged. */
const image = (blob: string, bytes: number): StoredImage => ({
  sha256: hash("sha256", blob),
  blob,
  type: "image/png",
  width: 1,
  height: 1,
  frames: 1,
  bytes: { original: bytes, "320": 1, "1280": 1 },
})

/** A store of so many pets and entries, of which some are damaged, and of images with the content of their files. */
function stored({
  pets = 0,
  audit = 0,
  images = [] as StoredImage[],
  content = (blob: string): string | Error => blob,
}) {
  const damaged = { pets: new Set<number>(), audit: new Set<number>() }
  const calls: [number, number][] = []
  const lines: [object, string][] = []
  const deleted = new Set<string>()
  const sorted = images.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  const examine = (kind: "pets" | "audit", count: number) => async (after: number, limit: number) => {
    calls.push([after, limit])
    const ids = Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (_, n) => after + n + 1)
    return { damaged: ids.filter((id) => damaged[kind].has(id)), last: ids.length === limit ? ids.at(-1) : undefined }
  }
  const parts = {
    store: {
      pets: { examine: examine("pets", pets) },
      audit: { examine: examine("audit", audit) },
      images: {
        after: async (sha256: string, limit: number) => sorted.filter((one) => one.sha256 > sha256).slice(0, limit),
        read: async (sha256: string) => sorted.find((one) => one.sha256 === sha256 && !deleted.has(one.blob)),
      },
    },
    blobs: {
      hasChecksums: false,
      read: async (blob: string, _part: string, range: { start: number; end: number }) => {
        read.push([blob, range.start, range.end])
        const text = content(blob)
        if (text === "") return undefined
        return (async function* () {
          if (text instanceof Error) throw text
          yield Buffer.from(text)
        })()
      },
    },
    log: { error: (facts: object, text: string) => void lines.push([facts, text]) },
  }
  const read: [string, number, number][] = []
  return { parts, damaged, calls, lines, read, deleted }
}

const see = 'See "Damaged and missing files" in docs/operations.md'

test("20,000 records of a kind are compared in a round, and the next round continues", async () => {
  const { parts, calls } = stored({ pets: 20_050, audit: 10 })
  const { checkHashes } = createHashCheck()
  await checkHashes(parts)
  const ofAudit: [number, number] = [0, 25]
  assert.deepEqual([calls.length, calls[1], calls[799], calls[800]], [801, [25, 25], [19_975, 25], ofAudit])
  calls.length = 0
  await checkHashes(parts)
  assert.deepEqual(calls, [[20_000, 25], [20_025, 25], [20_050, 25], ofAudit])
  calls.length = 0
  await checkHashes(parts)
  assert.deepEqual([calls.length, calls[0]], [801, [0, 25]], "from the first one again")
})

test("damaged records are logged when they are found, and counted until a whole comparison found fewer", async () => {
  const { parts, damaged, lines } = stored({ pets: 20_050, audit: 30 })
  const { checkHashes, found, metrics } = createHashCheck()
  damaged.pets = new Set([1, 2, 20_010])
  damaged.audit = new Set(Array.from({ length: 25 }, (_, n) => n + 2))
  await checkHashes(parts)
  const first = Array.from({ length: 20 }, (_, n) => n + 2)
  assert.deepEqual(lines.splice(0), [
    [
      { pets: [1, 2], count: 2 },
      `the stored text of pets does not match its hash: the database or its disk is damaged. ${see}`,
    ],
    [
      { audit: first, count: 25 },
      `entries of the audit log do not match their hashes: the log was changed, or the disk is damaged. ${see}`,
    ],
  ])
  assert.deepEqual({ ...found() }, { pets: 2, audit: 25, images: 0 })
  damaged.audit.clear()
  await checkHashes(parts)
  assert.deepEqual({ ...found() }, { pets: 3, audit: 0, images: 0 })
  assert.deepEqual(await metrics[0]?.read(), [
    { labels: { kind: "pets" }, value: 3 },
    { labels: { kind: "audit" }, value: 0 },
    { labels: { kind: "images" }, value: 0 },
  ])
  damaged.pets = new Set([7])
  await checkHashes(parts)
  assert.equal(found().pets, 3, "the comparison under way found fewer so far")
  await checkHashes(parts)
  assert.equal(found().pets, 1)
})

test("64 MiB of images are compared in a round, each with its SHA-256", async () => {
  const images = ["a", "b", "c", "d"].map((blob) => image(blob, 32 * mebibyte))
  const { parts, read, lines } = stored({ images, content: (blob) => (blob === "d" ? "other" : blob) })
  const { checkHashes, found } = createHashCheck()
  const order = images.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)).map(({ blob }) => blob)
  await checkHashes(parts)
  assert.deepEqual(
    read.splice(0),
    order.slice(0, 2).map((blob) => [blob, 0, 32 * mebibyte - 1]),
  )
  await checkHashes(parts)
  assert.deepEqual(
    read.map(([blob]) => blob),
    order.slice(2),
  )
  await checkHashes(parts)
  assert.deepEqual(lines.splice(0), [
    [
      { images: ["d"], count: 1 },
      `files of images do not match their hashes or are missing: the disk is damaged. ${see}`,
    ],
  ])
  assert.equal(found().images, 1)
})

test("a file that is missing or unreadable is damaged, unless its image was deleted meanwhile", async () => {
  const unreadable = Object.assign(new Error("EIO"), { syscall: "read" })
  const contents: Record<string, string | Error> = { missing: "", unreadable, deleted: "", whole: "whole" }
  const images = Object.keys(contents).map((blob) => image(blob, 5))
  const { parts, lines, deleted } = stored({ images, content: (blob) => contents[blob] ?? "" })
  deleted.add("deleted")
  const { checkHashes, found } = createHashCheck()
  await checkHashes(parts)
  assert.equal(found().images, 2)
  const [[facts] = []] = lines
  assert.deepEqual(new Set((facts as { images: string[] }).images), new Set(["missing", "unreadable"]))
})

test("storage that is unavailable, and any other error, is no damage", async () => {
  for (const error of [new StoreUnavailable("away"), Object.assign(new Error("away"), { syscall: "open" })]) {
    const { parts, lines } = stored({ images: [image("a", 5)], content: () => error })
    await assert.rejects(createHashCheck().checkHashes(parts), error)
    assert.deepEqual(lines, [])
  }
  const { parts, read } = stored({ images: [image("a", 5)] })
  await createHashCheck().checkHashes({ ...parts, blobs: { ...parts.blobs, hasChecksums: true } })
  assert.deepEqual(read, [], "a storage with checksums compares them itself")
})
