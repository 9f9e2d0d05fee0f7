import assert from "node:assert/strict"
import { test } from "node:test"
import type { StoredImage } from "../../../core/domain/images/store.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { copyImage, isDamaged } from "./images.ts"

const image: StoredImage = {
  sha256: "",
  blob: "a",
  type: "image/png",
  width: 1,
  height: 1,
  frames: 1,
  bytes: { original: 9, "320": 9, "1280": 9 },
}

test("storage that is away, or another failure, is no damage", async () => {
  for (const error of [new StoreUnavailable("away"), Object.assign(new Error("no"), { syscall: "open" })]) {
    const read = async () =>
      (async function* () {
        yield Buffer.from("begin")
        throw error
      })()
    const archive = {
      write: async (_: string, bytes: AsyncIterable<Uint8Array>) => void (await Array.fromAsync(bytes)),
      remove: async () => {},
    }
    await assert.rejects(copyImage(image, { read }, archive), error)
    await assert.rejects(isDamaged(image, { read }), error)
  }
})
