// Runs beside two other files at most.

import assert from "node:assert/strict"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { isThorough } from "../harness/effort.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const runs = isThorough ? 24 : 8
const old = 20_000

/** Adds pets to the database of a running service, faster than through it. */
function fill(file: string): void {
  using db = new DatabaseSync(file, { timeout: 5000 })
  db.exec(`WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < ${999 + old})
           INSERT INTO pets (id, status, name_key, json, etag)
           SELECT i, 'sold', 'old', printf('{"id":%d,"name":"old","photoUrls":[],"tags":[],"status":"sold"}', i), '' FROM n`)
}

/** The number of pets and the newest id in a copy of the database, so that the service recovers the original. */
function inspect(file: string): { pets: number; newest: number } {
  using directory = temporaryDirectory()
  const copy = join(directory.path, "copy.db")
  for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, copy + suffix)
  using db = new DatabaseSync(copy)
  assert.deepEqual({ ...db.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" })
  assert.deepEqual(db.prepare("PRAGMA foreign_key_check").all(), [])
  return db.prepare("SELECT count(*) AS pets, max(id) AS newest FROM pets").get() as { pets: number; newest: number }
}

test("a service that is killed at any point of a reset has all of the old data or all of the new", async (t) => {
  await using petstore = await spawnPetstore()
  const found = { old: 0, reset: 0 }
  // Searches for the moment of the commit.
  let [delayMs, soonest, latest] = [64, 0, Number.POSITIVE_INFINITY]
  for (let run = 0; run < runs; run++) {
    const client = createClient({ ...api, ...sandbox }, { url: petstore.url, headers: { api_key: "special-key" } })
    // The first reset of a process hashes passwords, which takes longer than everything else.
    await client.resetSandbox({ query: { seed: "empty" } })
    fill(petstore.databaseFile)
    const resetting = client.resetSandbox({ query: { seed: "shelter" } }).then(
      () => true,
      () => false,
    )
    await sleep(delayMs)
    await petstore.kill("SIGKILL")
    const wasAnswered = await resetting
    const { pets, newest } = inspect(petstore.databaseFile)
    assert.ok(pets === old || pets === 300, `${pets} pets after ${delayMs} ms`)
    const isReset = pets === 300
    assert.ok(isReset || !wasAnswered, "an acknowledged reset was lost")
    found[isReset ? "reset" : "old"]++
    if (isReset) latest = delayMs
    else soonest = delayMs
    delayMs = Math.min(delayMs * 2, (soonest + latest) / 2)
    await petstore.restart()
    const { value } = await petstore.as("special-key").listPets({ query: { limit: 1, sort: "-id" } })
    assert.equal(value[0]?.id, newest)
  }
  reportEffort(t, { kills: runs, "before the commit": found.old, "after it": found.reset })
  assert.ok(found.old > 0 && found.reset > 0, JSON.stringify(found))
})
