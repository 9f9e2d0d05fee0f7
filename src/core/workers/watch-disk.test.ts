import assert from "node:assert/strict"
import { statfsSync } from "node:fs"
import { test } from "node:test"
import pino from "pino"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { type DiskState, openDiskWatch } from "./watch-disk.ts"

const [mebibyte, gibibyte] = [1024 ** 2, 1024 ** 3]

function fixture() {
  const lines: string[] = []
  let state: DiskState | Error = { freeBytes: 0, sizeBytes: 0, isReadOnly: false }
  const watch = openDiskWatch(
    { database: "/data" },
    pino({ base: null }, { write: (line) => void lines.push(line) }),
    async () => {
      if (state instanceof Error) throw state
      return state
    },
  )
  return {
    watch,
    /** The log lines for a disk in these states. */
    async see(free: number, size: number): Promise<string[]> {
      state = { freeBytes: free, sizeBytes: size, isReadOnly: false }
      await watch.inspect()
      return lines
        .splice(0)
        .map((line) => JSON.parse(line))
        .map(({ level, msg, disk }) => `${level} ${msg}: ${disk}`)
    },
    fail(error: Error) {
      state = error
      return watch.inspect()
    },
  }
}

const warning = "40 the disk is nearly full: database"
const relief = "30 the disk has room again: database"

test("a disk below a tenth or a GiB of free space is reported once, and its recovery is reported once", async () => {
  const { see, watch } = fixture()
  using _ = watch
  assert.deepEqual(await see(11 * gibibyte, 100 * gibibyte), [])
  assert.deepEqual(await see(9.9 * gibibyte, 100 * gibibyte), [warning])
  assert.deepEqual(await see(1 * gibibyte, 100 * gibibyte), [])
  assert.deepEqual(await see(10.5 * gibibyte, 100 * gibibyte), [], "at the edge nothing is said again")
  assert.deepEqual(await see(11.5 * gibibyte, 100 * gibibyte), [relief])
  assert.deepEqual(await see(1023 * mebibyte, 5 * gibibyte), [warning])
  assert.deepEqual(await see(1025 * mebibyte, 5 * gibibyte), [], "nor at that of a small disk")
  assert.deepEqual(await see(1.2 * gibibyte, 5 * gibibyte), [relief])
})

test("free space and size are metrics, and a disk that is read-only is a reason to refuse writes", async () => {
  let isReadOnly = false
  const directories = { database: "/data", images: "/images" }
  const inspect = async (directory: string) => ({
    freeBytes: directory.length,
    sizeBytes: 2 * directory.length,
    isReadOnly: isReadOnly && directory === "/images",
  })
  using watch = openDiskWatch(directories, pino({ enabled: false }), inspect)
  const values = async () => {
    const samples = await Promise.all(watch.metrics.map(async ({ name, read }) => ({ name, samples: await read() })))
    return samples.map(({ name, samples }) => [name, samples])
  }
  assert.deepEqual(await values(), [
    ["petstore_disk_free_bytes", []],
    ["petstore_disk_size_bytes", []],
  ])
  await watch.inspect()
  const [database, images] = [{ disk: "database" }, { disk: "images" }]
  assert.deepEqual(await values(), [
    [
      "petstore_disk_free_bytes",
      [
        { labels: database, value: 5 },
        { labels: images, value: 7 },
      ],
    ],
    [
      "petstore_disk_size_bytes",
      [
        { labels: database, value: 10 },
        { labels: images, value: 14 },
      ],
    ],
  ])
  assert.equal(watch.refusal(), undefined)
  isReadOnly = true
  await watch.inspect()
  assert.equal(watch.refusal(), "the disk is read-only")
})

test("the disk of a directory is inspected, and one that does not exist is not", async () => {
  using directory = temporaryDirectory()
  const directories = { images: directory.path, database: `${directory.path}/missing` }
  using watch = openDiskWatch(directories, pino({ enabled: false }))
  await watch.inspect()
  const [free, size] = await Promise.all(watch.metrics.map(({ read }) => read()))
  const valueIn = (samples: typeof free) =>
    samples?.map((sample) => ("value" in sample ? Number(sample.value) : 0)) ?? []
  const { bavail, blocks, bsize } = statfsSync(directory.path)
  assert.deepEqual(valueIn(size), [blocks * bsize])
  // Other tests write to the disk meanwhile.
  const [freeBytes = 0] = valueIn(free)
  assert.ok(freeBytes > (bavail * bsize) / 2 && freeBytes < 2 * bavail * bsize)
  assert.equal(watch.refusal(), undefined)
})

test("a disk that cannot be inspected keeps its state", async () => {
  const { see, fail, watch } = fixture()
  using _ = watch
  assert.deepEqual(await see(1, 100 * gibibyte), [warning])
  await fail(new Error("gone"))
  assert.equal(watch.refusal(), undefined)
  assert.deepEqual(await see(1, 100 * gibibyte), [])
})
