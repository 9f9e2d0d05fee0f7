import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { StoredImage } from "../../domain/images/store.ts"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { allImages, copyImage, isDamaged, isWhole } from "./images.ts"

const imageOf = (blob: string): StoredImage => ({
  sha256: hash("sha256", `original of ${blob}`),
  blob,
  type: "image/png",
  width: 1,
  height: 1,
  frames: 1,
  bytes: { original: `original of ${blob}`.length, "320": `320 of ${blob}`.length, "1280": `1280 of ${blob}`.length },
})

/** Image files, of which some have another content, cannot be read, or are missing. */
function filesWith(contents: Record<string, string | Error | undefined> = {}) {
  const opened = new Set<string>()
  const read = async (blob: string, part: string, range: { start: number; end: number }) => {
    const name = `${blob}/${part}`
    const content = name in contents ? contents[name] : `${part} of ${blob}`
    if (content === undefined) return undefined
    return (async function* () {
      opened.add(name)
      try {
        if (content instanceof Error) {
          yield Buffer.from("begin")
          throw content
        }
        yield Buffer.from(content).subarray(range.start, range.end + 1)
      } finally {
        opened.delete(name)
      }
    })()
  }
  return { read, opened }
}

/** An archive that records what it has. */
function archive() {
  const files = new Map<string, string>()
  return {
    files,
    async write(name: string, bytes: AsyncIterable<Uint8Array>) {
      files.set(name, Buffer.concat(await Array.fromAsync(bytes)).toString())
    },
    remove: async (name: string) => void files.delete(name),
  }
}

const image = imageOf("a")
const unreadable = Object.assign(new Error("EIO"), { syscall: "read" })

test("the files of a whole image are copied and listed, and of any other none stays", async () => {
  const { files, ...writer } = archive()
  const listed = await copyImage(image, filesWith(), writer)
  assert.ok(Array.isArray(listed))
  assert.deepEqual(
    listed.map(({ name, bytes }) => [name, bytes, files.get(name)]),
    [
      ["images/a/original", 13, "original of a"],
      ["images/a/320", 8, "320 of a"],
      ["images/a/1280", 9, "1280 of a"],
    ],
  )
  assert.ok(isWhole(image, listed))
  for (const part of ["original", "320", "1280"])
    for (const [content, reason] of [
      [undefined, "missing"],
      ["short", "damaged"],
      [unreadable, "damaged"],
    ] as const) {
      const copy = archive()
      const from = filesWith({ [`a/${part}`]: content })
      assert.equal(await copyImage(image, from, copy), reason, `${part} ${content}`)
      assert.deepEqual([[...copy.files], [...from.opened]], [[], []])
    }
  const changed = filesWith({ "a/original": "0riginal of a" })
  assert.equal(await copyImage(image, changed, archive()), "damaged", "other bytes of the same length")
})

test("storage that is away, or another failure, is no damage", async () => {
  for (const error of [new StoreUnavailable("away"), Object.assign(new Error("no"), { syscall: "open" })]) {
    const from = filesWith({ "a/320": error, "a/original": error })
    await assert.rejects(copyImage(image, from, archive()), error)
    await assert.rejects(isDamaged(image, from), error)
  }
})

test("only an original with other bytes is damaged; a missing one is not", async () => {
  for (const [content, expected] of [
    [undefined, false],
    ["other", true],
    [unreadable, true],
    ["original of a", false],
  ] as const)
    assert.equal(await isDamaged(image, filesWith({ "a/original": content })), expected)
})

test("an image is whole with all of its parts, in order, with their sizes and the hash of the original", async () => {
  const files = (await copyImage(image, filesWith(), archive())) as { name: string; bytes: number; sha256: string }[]
  const [original, small, large] = files as [(typeof files)[0], (typeof files)[0], (typeof files)[0]]
  assert.ok(isWhole(image, [original, { ...small, sha256: "any" }, large]))
  for (const wrong of [
    [],
    [original, small],
    [original, small, large, large],
    [original, large, small],
    [{ ...original, sha256: "other" }, small, large],
    ...[0, 1, 2].map((n) => files.map((file, at) => (at === n ? { ...file, bytes: file.bytes + 1 } : file))),
  ])
    assert.equal(isWhole(image, wrong), false)
})

test("all images are read in the order of their SHA-256, in pages", async () => {
  for (const count of [0, 499, 500, 1001]) {
    const images = Array.from({ length: count }, (_, n) => ({ ...image, sha256: String(n).padStart(5, "0") }))
    const asked: [string, number][] = []
    const after = async (last: string, limit: number) => {
      asked.push([last, limit])
      return images.filter(({ sha256 }) => sha256 > last).slice(0, limit)
    }
    assert.equal((await Array.fromAsync(allImages({ after }))).length, count)
    assert.equal(asked.length, Math.floor(count / 500) + 1)
  }
})

test("of a file that is longer than its image, the bytes of the image are copied", async () => {
  const { files, ...writer } = archive()
  const longer = filesWith({ "a/320": "320 of a, and more" })
  assert.ok(Array.isArray(await copyImage(image, longer, writer)))
  assert.deepEqual([...files.values()], ["original of a", "320 of a", "1280 of a"])
})
