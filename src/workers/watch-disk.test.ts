import assert from "node:assert/strict"
import { test } from "node:test"
import pino from "pino"
import { type DiskState, openDiskWatch } from "./watch-disk.ts"

const [mebibyte, gibibyte] = [1024 ** 2, 1024 ** 3]

function fixture() {
  const lines: string[] = []
  let state: DiskState | Error = { freeBytes: 0, sizeBytes: 0, isReadOnly: false }
  const watch = openDiskWatch({
    directories: { database: "/data" },
    log: pino({ base: null }, { write: (line) => void lines.push(line) }),
    async inspect() {
      if (state instanceof Error) throw state
      return state
    },
  })
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

test("a disk that cannot be inspected keeps its state", async () => {
  const { see, fail, watch } = fixture()
  using _ = watch
  assert.deepEqual(await see(1, 100 * gibibyte), [warning])
  await fail(new Error("gone"))
  assert.equal(watch.refusal(), undefined)
  assert.deepEqual(await see(1, 100 * gibibyte), [])
})

test("disks are inspected every ten seconds", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  let looks = 0
  using _ = openDiskWatch({
    directories: { database: "/data" },
    log: pino({ enabled: false }),
    async inspect() {
      looks++
      return { freeBytes: 1, sizeBytes: 1, isReadOnly: false }
    },
  })
  t.mock.timers.tick(20_000)
  assert.equal(looks, 2)
})
