import assert from "node:assert/strict"
import { test } from "node:test"
import type { Repositories } from "../ports/store.ts"
import { lockPet, requireNoOpenOrder } from "./lock-pet.ts"

const found = { pet: { id: 1 }, etag: '"a"' }
const refuse = (code: string, detail?: unknown): never => {
  throw new Error(`${code}${detail === undefined ? "" : `: ${detail}`}`)
}
const txWith = (locked: object | undefined, order?: number) =>
  ({ pets: { lock: async () => locked }, orders: { openFor: async () => order } }) as unknown as Repositories

test("a pet is locked when it exists and matches If-Match", async () => {
  const lock = (ifMatch: readonly string[] | "*" | undefined, locked: object | undefined = found) =>
    lockPet({ ifMatch, refuse }, txWith(locked), 1)
  for (const ifMatch of [undefined, "*", ['"b"', '"a"']] as const) assert.equal(await lock(ifMatch), found)
  for (const ifMatch of [[], ['"b"']])
    await assert.rejects(lock(ifMatch), /precondition-failed: .* its ETag is now "a"/)
  await assert.rejects(lockPet({ ifMatch: "*", refuse }, txWith(undefined), 1), /^Error: pet-not-found$/)
})

test("a pet with an open order is refused", async () => {
  await requireNoOpenOrder({ refuse }, txWith(found), 1)
  await assert.rejects(requireNoOpenOrder({ refuse }, txWith(found, 0), 1), /pet-has-open-order/)
})
