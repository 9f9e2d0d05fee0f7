import assert from "node:assert/strict"
import { test } from "node:test"
import type { DiskState } from "../../src/core/workers/watch-disk.ts"
import { startPetstore } from "../harness/petstore.ts"
import { asker } from "../harness/send.ts"

const ample: DiskState = { freeBytes: 500e9, sizeBytes: 1000e9, isReadOnly: false }

test("on a read-only disk /readyz is 503 with the reason until the disk is writable again; /livez and reads continue", async () => {
  let state = ample
  await using petstore = await startPetstore({ disk: { inspect: async () => state } })
  const ask = asker(petstore)
  assert.equal((await ask("/readyz")).status, 200)

  state = { ...ample, isReadOnly: true }
  await petstore.disks.inspect()
  const refused = await ask("/readyz")
  assert.equal(refused.status, 503)
  assert.match(((await refused.json()) as { detail: string }).detail, /^Nothing can be written: the disk is read-only/)
  assert.equal((await ask("/livez")).status, 200)
  assert.equal((await ask("/api/v3/pet/1")).status, 200)

  state = ample
  await petstore.disks.inspect()
  assert.equal((await ask("/readyz")).status, 200)
})

test("a request to /readyz inspects no disk", async () => {
  let looks = 0
  const look = async () => {
    looks++
    return ample
  }
  await using petstore = await startPetstore({ disk: { inspect: look } })
  const before = looks
  for (let n = 0; n < 50; n++) await fetch(`${petstore.url}/readyz`)
  assert.equal(looks, before)
})
