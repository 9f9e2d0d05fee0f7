import assert from "node:assert/strict"
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { imageParts } from "../../../src/core/domain/images/contract.ts"
import type { ImageDecoder } from "../../../src/core/domain/ports/decoder.ts"
import { Problem } from "../../../src/core/kernel/problem.ts"
import { temporaryDirectory } from "../../harness/directory.ts"
import { bomb, formats, makeImage, telltale } from "../../harness/images.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The requirements for every image decoder. `open` creates one in which 16 images of an account may wait. */
export function imageDecoderConformance(adapter: string, open: () => ImageDecoder & Partial<Disposable>): void {
  describe(`${adapter} as an image decoder`, () => {
    const recorded = recording()
    const opened = open()
    const decoder = recorded.watch<ImageDecoder>({ decode: (...given) => opened.decode(...given) })
    const directory = temporaryDirectory()
    after(() => {
      opened[Symbol.dispose]?.()
      directory[Symbol.dispose]()
    })
    let count = 0

    async function decode(bytes: Uint8Array, accountId = 1) {
      const file = join(directory.path, `sent ${count++}`)
      await writeFile(file, bytes)
      return decoder.decode(file, directory.path, accountId)
    }
    async function refusedAs(bytes: Uint8Array) {
      const refusal = await decode(bytes)
      assert.ok(refusal instanceof Problem)
      return refusal.code
    }

    test("every format is recognised by its content and stored in every size, with the properties of the files", async () => {
      for (const format of formats) {
        const decoded = await decode(await makeImage(format, 64, 48))
        assert.ok(!(decoded instanceof Problem), format)
        assert.deepEqual(
          { type: decoded.type, width: decoded.width, height: decoded.height, frames: decoded.frames },
          { type: `image/${format}`, width: 64, height: 48, frames: 1 },
        )
        assert.match(decoded.sha256, /^[0-9a-f]{64}$/)
        for (const part of imageParts)
          assert.equal((await stat(decoded.files[part].path)).size, decoded.files[part].bytes, `${format} ${part}`)
      }
    })

    test("an image is rotated upright, and its location data is removed", async () => {
      const decoded = await decode(await telltale("jpeg"))
      assert.ok(!(decoded instanceof Problem))
      assert.deepEqual({ width: decoded.width, height: decoded.height }, { width: 40, height: 80 })
      for (const part of imageParts)
        assert.ok(!(await readFile(decoded.files[part].path)).includes("SECRET"), `${part} tells`)
    })

    test("a file that is no image, damaged or too large is refused with its own reason", async () => {
      assert.equal(await refusedAs(Buffer.from("<svg/>")), "unsupported-image")
      const whole = await makeImage("png", 60, 40)
      assert.equal(await refusedAs(whole.subarray(0, whole.length / 2)), "unreadable-image")
      assert.equal(await refusedAs(await bomb(60_000, 60_000)), "image-too-large")
    })

    test("an account's images beyond its queue are refused, and another account's image gets its turn", async () => {
      const bytes = await makeImage("png", 8, 8)
      const mine = Array.from({ length: 40 }, () => decode(bytes, 1))
      const other = decode(bytes, 2)
      const outcomes = await Promise.allSettled(mine)
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []))
      assert.deepEqual(new Set(refused), new Set(["unavailable"]))
      assert.ok(refused.length < 40)
      assert.ok(!((await other) instanceof Problem))
    })

    testCompleteness(recorded)
  })
}
