import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { StoredImage } from "../../domain/images/store.ts"
import { describeDamaged, findDamagedImages, findDamagedRecords } from "./damage.ts"

test("damaged records are counted, and the first twenty named", async () => {
  const examiner = (damaged: readonly number[], total: number) => ({
    examine: async (after: number, limit: number) => ({
      damaged: damaged.filter((id) => id > after && id <= after + limit),
      last: after + limit < total ? after + limit : undefined,
    }),
  })
  const many = Array.from({ length: 30 }, (_, n) => n * 40 + 1)
  const found = await findDamagedRecords({ pets: examiner(many, 2000), audit: examiner([], 10) })
  assert.deepEqual(found, [{ kind: "pets", ids: many.slice(0, 20), count: 30 }])
  const both = { pets: examiner([1], 5), audit: examiner([2, 3], 5) }
  assert.deepEqual(await findDamagedRecords(both), [
    { kind: "pets", ids: [1], count: 1 },
    { kind: "audit", ids: [2, 3], count: 2 },
  ])
  assert.deepEqual(
    await findDamagedRecords(both, { pets: 5 }),
    [{ kind: "pets", ids: [1], count: 1 }],
    "without the table",
  )
})

test("originals are compared with their SHA-256, unless the storage does that; missing files are not damaged", async () => {
  const image = (n: number, content: string): StoredImage => ({
    sha256: hash("sha256", content),
    blob: `b${n}`,
    type: "image/png",
    width: 1,
    height: 1,
    frames: 1,
    bytes: { original: 3, "320": 1, "1280": 1 },
  })
  const read = async (blob: string) =>
    blob === "b99"
      ? undefined
      : (async function* () {
          yield Buffer.from("one")
        })()
  const found = (images: StoredImage[], hasChecksums = false) =>
    findDamagedImages({ after: async () => images }, { read, hasChecksums })
  const wrong = Array.from({ length: 25 }, (_, n) => image(n, `other ${n}`))
  const all = [...wrong, image(50, "one"), image(99, "missing")]
  const ids = wrong.slice(0, 20).map(({ blob }) => blob)
  assert.deepEqual(await found(all), [{ kind: "images", ids, count: 25 }])
  assert.deepEqual(await found(all, true), [])
  assert.deepEqual(await found(all.slice(25)), [])
})

test("damage is described with the first ones, and how many more there are", () => {
  for (const [found, text] of [
    [{ kind: "pets", ids: [1, 2], count: 2 }, "pets do not match their hashes: 1 2"],
    [{ kind: "audit", ids: [7], count: 9 }, "entries of the audit log do not match their hashes: 7 and 8 more"],
    [{ kind: "images", ids: ["a"], count: 1 }, "images do not match their hashes: a"],
  ] as const)
    assert.equal(describeDamaged(found), text)
})
