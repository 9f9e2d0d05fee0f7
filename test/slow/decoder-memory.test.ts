// Runs alone.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { limitedMemory } from "../harness/control-group.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const unit = readFileSync(join(import.meta.dirname, "..", "..", "deploy", "petstore.service"), "utf8")
const shippedBytes = Number(/^MemoryMax=(\d+)G$/m.exec(unit)?.[1]) * 1024 ** 3

/** An image of the maximum size with 10 bits per channel: decoding takes 1,238 MiB, the file has a few kilobytes. */
const expensiveImage = (): Promise<Buffer> =>
  sharp({ create: { width: 7000, height: 7000, channels: 3, background: "#7a5" } })
    .toColourspace("rgb16")
    .avif({ bitdepth: 10, effort: 0 })
    .toBuffer()

test("two concurrent images of maximum decoding cost are both stored within the memory limit of the deployment files", async (t) => {
  await using group = limitedMemory(shippedBytes)
  if (!group) return t.skip("NOT TESTED, control groups cannot be created here")
  await using petstore = await spawnPetstore({ under: group.under })
  const image = await expensiveImage()
  // Another file with the same content.
  const images = [image, Buffer.concat([image, Buffer.from("\0\0\0\x08free", "latin1")])]
  const sent = await Promise.allSettled(
    ["special-key", "pro-key"].map((key, n) =>
      petstore
        .as(key)
        .uploadFile({ params: { petId: n + 1 }, upload: new Blob([new Uint8Array(images[n] as Buffer)]) }),
    ),
  )
  t.diagnostic(`at most ${Math.round(group.peakBytes() / 1024 ** 2)} MiB of ${shippedBytes / 1024 ** 2}`)
  assert.deepEqual(
    sent.map((one) => (one.status === "fulfilled" ? 200 : one.reason.problem.status)),
    [200, 200],
  )
  assert.equal(group.kills(), 0)
})
