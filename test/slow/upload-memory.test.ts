// Runs alone.
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { effort } from "../harness/effort.ts"
import { bomb } from "../harness/images.ts"
import { spawnPetstore } from "../harness/spawn.ts"

/** The most the service's own process may ever hold; decoding has processes of its own. */
const ceilingMiB = 512
const skip = existsSync("/proc/self/status") ? false : "NO /proc: the memory of a process cannot be seen here"

test("huge, hostile and broken images at once leave the service small and leave nothing behind", {
  skip,
}, async () => {
  await using petstore = await spawnPetstore()
  const huge = await Promise.all(Array.from({ length: effort(6, 1) }, (_, n) => fiftyMegapixels(n)))
  const hostile = [await bomb(60_000, 60_000), Buffer.alloc(10 * 1024 * 1024, 0x20), huge[0]?.subarray(0, 5000)]

  const params = { petId: 1 }
  const sent = await Promise.allSettled(
    [...huge, ...hostile].map((bytes) =>
      petstore.as("special-key").uploadFile({ params, upload: new Blob([new Uint8Array(bytes as Buffer)]) }),
    ),
  )
  const statuses = sent.map((one) => (one.status === "fulfilled" ? 200 : one.reason.problem.status))
  assert.deepEqual(statuses, [...huge.map(() => 200), 422, 415, 422])

  const [, peakKiB] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${petstore.pid}/status`, "utf8")) ?? []
  assert.ok(Number(peakKiB) / 1024 < ceilingMiB, `the service held ${Math.round(Number(peakKiB) / 1024)} MiB`)
  assert.deepEqual(readdirSync(join(petstore.dataDir, "images", "staged")), [])
})

/** As large as an image may be, in a small file. */
const fiftyMegapixels = (n: number): Promise<Buffer> =>
  sharp({ create: { width: 7000, height: 7000 - n, channels: 3, background: "#7a5" } })
    .jpeg()
    .toBuffer()
