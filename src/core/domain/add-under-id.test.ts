import assert from "node:assert/strict"
import { test } from "node:test"
import { addUnderId } from "./add-under-id.ts"

/** Adds where ids below `free` are taken; generated ids start at 1. */
async function adding(free: number, requestedId?: number) {
  const tried: number[] = []
  let next = 0
  const added = await addUnderId(
    requestedId,
    async () => ++next,
    async (id) => {
      tried.push(id)
      return id < free ? undefined : `added ${id}`
    },
  )
  return { added, tried }
}

test("a requested id is tried once", async () => {
  assert.deepEqual(await adding(5, 7), { added: "added 7", tried: [7] })
  assert.deepEqual(await adding(5, 4), { added: undefined, tried: [4] })
})

test("without one, the next ids are tried until one is free, or twenty are taken", async () => {
  assert.deepEqual(await adding(1), { added: "added 1", tried: [1] })
  assert.deepEqual(await adding(3, 0), { added: "added 3", tried: [1, 2, 3] })
  assert.equal((await adding(20)).added, "added 20")
  const { added, tried } = await adding(21)
  assert.deepEqual([added, tried.length], [undefined, 20])
})
