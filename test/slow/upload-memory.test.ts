import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { bomb } from "../harness/images.ts"
import { spawnPetstore } from "../harness/spawn.ts"

/** Maximum memory of the service's own process; decoding runs in other processes. */
const ceilingMiB = 512
const skip = existsSync("/proc/self/status") ? false : "NOT TESTED, no /proc: the memory of a process cannot be read"

test("concurrent huge, hostile and broken images leave the service's memory small and no temporary files", {
  skip,
}, async () => {
  await using petstore = await spawnPetstore()
  const huge = await Promise.all(Array.from({ length: 2 }, (_, n) => fiftyMegapixels(n)))
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

/** An image of the maximum size in a small file. */
const fiftyMegapixels = (n: number): Promise<Buffer> =>
  sharp({ create: { width: 7000, height: 7000 - n, channels: 3, background: "#7a5" } })
    .jpeg()
    .toBuffer()
