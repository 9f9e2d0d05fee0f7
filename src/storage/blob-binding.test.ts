import assert from "node:assert/strict"
import { test } from "node:test"
import { CannotStart } from "../kernel/cannot-start.ts"
import { bindBlobs } from "./blob-binding.ts"

/** Binds so many images, of which the database knows some, with this owner; returns the claims. */
async function bind(all: number, known: number, owner?: string): Promise<string[]> {
  const claims: string[] = []
  const store = {
    origin: { identity: async () => "this" },
    images: { known: async (keys: readonly string[]) => new Set(keys.filter((key) => Number(key) < known)) },
  }
  const blobs = {
    owner: async () => owner,
    claim: async (identity: string) => void claims.push(identity),
    async *keptBefore(before: number) {
      for (let n = 0; n < Math.min(all, before); n++) yield String(n)
    },
  }
  await bindBlobs(store, blobs, "the place")
  return claims
}

const advice =
  "Start with the database they belong to, or choose another location with PETSTORE_BLOB_URL. To give them to this " +
  "database, stop every Petstore that uses them and write this into the file database-id there."

test("images without an owner are claimed when the database knows at least half of them", async () => {
  for (const [all, known] of [
    [0, 0],
    [1, 1],
    [2, 1],
    [1201, 601],
  ] as const)
    assert.deepEqual(await bind(all, known), ["this"])
  for (const [all, known] of [
    [1, 0],
    [3, 1],
    [1201, 600],
  ] as const)
    await assert.rejects(
      bind(all, known),
      new CannotStart(`The database knows ${known} of the ${all} images in the place. ${advice}`),
    )
})

test("images of this database are not claimed again, and those of another one are refused", async () => {
  assert.deepEqual(await bind(3, 0, "this"), [])
  await assert.rejects(
    bind(3, 3, "another"),
    new CannotStart(`The images in the place belong to another database. ${advice}`),
  )
})
