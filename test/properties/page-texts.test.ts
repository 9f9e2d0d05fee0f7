import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import fc from "fast-check"
import { PetStatus } from "../../src/core/domain/pets/contract.ts"
import type { Database, Repositories } from "../../src/core/domain/ports/store.ts"
import { statements } from "../../src/core/sql/statement.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openDisk } from "../../src/core/sqlite/disk.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { temporaryDirectory } from "../harness/directory.ts"

/** A store that remembers few texts, and whose flushes take a while, so that readers see an earlier state. */
function openSlow(file: string): Database {
  const machine = {
    openDisk(db: Parameters<typeof openDisk>[0]) {
      const disk = openDisk(db)
      return {
        ...disk,
        syncLog: () =>
          turn()
            .then(() => turn())
            .then(disk.syncLog),
      }
    },
  }
  return openSqlite(file, machine, { bytesMax: 2 ** 26, cacheKiB: 24 })
}

const ids = Array.from({ length: 60 }, (_, n) => n + 1)
const statuses = PetStatus.enum

/** Requires that pages are what reads of each pet say; both are of one snapshot, as no other code runs between. */
function requireEqualPages({ pets }: Repositories, status: (typeof statuses)[number], before: number, limit: number) {
  const stored = ids.map((id) => pets.read(id) as { json: string } | undefined)
  const all = stored.flatMap((pet) => (pet ? [JSON.parse(pet.json)] : [])).reverse()
  const page = pets.byStatus([status], { before, limit }) as { json: string; next: number | undefined }
  const matching = all.filter((pet) => pet.status === status && pet.id < before)
  assert.deepEqual(JSON.parse(page.json), matching.slice(0, limit))
  assert.equal(page.next, matching.length > limit ? matching[limit - 1].id : undefined)
}

const id = fc.constantFrom(...ids)
const status = fc.constantFrom(...statuses)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: id, status, long: fc.nat(900), fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.record({ startOver: fc.constant(true) }) },
  {
    weight: 8,
    arbitrary: fc.record({ status, before: fc.integer({ min: 1, max: 70 }), limit: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 6, arbitrary: fc.constantFrom("turn" as const, "settle" as const) },
)

async function write(
  store: Database,
  change: { put: number; status: (typeof statuses)[number]; long: number; fails: boolean },
) {
  await store.transaction(async ({ pets }) => {
    const pet = samplePet(change.put, { status: change.status, name: "x".repeat(change.long + 1) })
    const before = await pets.lock(change.put)
    if (before) await pets.put(pet, before.pet, 1)
    else await pets.add([pet], 1)
    if (change.fails) throw new Error("rolled back")
  })
}

test("every page is what single reads say, beside writes that commit, fail and are not flushed yet, and resets (slow)", async () => {
  using directory = temporaryDirectory()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
      const store = openSlow(join(directory.path, `${run++}.db`))
      await store.transaction(({ pets }) =>
        pets.add(
          ids.map((id) => samplePet(id)),
          1,
        ),
      )
      const writes: Promise<unknown>[] = []
      for (const step of steps) {
        if (step === "turn") await turn()
        else if (step === "settle") await Promise.all(writes)
        else if ("put" in step)
          writes.push(write(store, step).catch((error) => assert.equal(error.message, "rolled back")))
        else if ("remove" in step) writes.push(store.transaction(({ pets }) => pets.remove(step.remove)))
        else if ("startOver" in step)
          writes.push(
            store.startOver(async ({ pets, origin }) => {
              await origin.put("sandbox", "s")
              await pets.add(
                ids.slice(0, 20).map((id) => samplePet(id, { name: "seed" })),
                1,
              )
            }, undefined),
          )
        else requireEqualPages(store, step.status, step.before, step.limit)
      }
      await Promise.all(writes)
      for (const status of statuses) requireEqualPages(store, status, 1000, 50)
      await store.close()
    }),
    { numRuns: 40 },
  )
})

test("the statements that write pets are those of the pet store, which says what to forget", () => {
  const writing = statements
    .map(({ text }) => text(sqliteDialect))
    .filter((text) => /\b(INTO|UPDATE|DELETE FROM) pets\b/.test(text))
  assert.equal(new Set(writing).size, 3)
})
