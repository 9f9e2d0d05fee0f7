import assert from "node:assert/strict"
import { test } from "node:test"
import { decoderBytesMax, decodersWithin, serviceBytes } from "./decoder-memory.ts"

const MiB = 1024 * 1024
const totalOf = (memoryBytes: number) => {
  const { processes, memoryBytesMax } = decodersWithin(memoryBytes)
  return serviceBytes + processes * memoryBytesMax
}

test("from 768 MiB on, the service and its decoders stay within the available memory", () => {
  for (let memory = 768; memory <= 8192; memory++)
    assert.ok(totalOf(memory * MiB) <= memory * MiB, `${memory} MiB: ${totalOf(memory * MiB) / MiB} MiB`)
})

test("there are two decoders if they fit, and from 1,888 MiB on one with memory for any image", () => {
  assert.deepEqual(decodersWithin(3264 * MiB), { processes: 2, memoryBytesMax: decoderBytesMax })
  assert.deepEqual(decodersWithin(2 ** 50), { processes: 2, memoryBytesMax: decoderBytesMax })
  assert.deepEqual(decodersWithin(3263 * MiB), { processes: 1, memoryBytesMax: decoderBytesMax })
  assert.deepEqual(decodersWithin(1888 * MiB), { processes: 1, memoryBytesMax: decoderBytesMax })
  assert.deepEqual(decodersWithin(1536 * MiB), { processes: 1, memoryBytesMax: 1024 * MiB })
  assert.deepEqual(decodersWithin(256 * MiB), { processes: 1, memoryBytesMax: 256 * MiB })
})
