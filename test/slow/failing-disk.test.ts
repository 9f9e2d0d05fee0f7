import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Refused } from "../../src/client/client.ts"
import { examine } from "../harness/consistency.ts"
import { hasPrlimit, spawnPetstore } from "../harness/spawn.ts"

const failingDisk = join(import.meta.dirname, "..", "harness", "failing-disk.ts")

test("after a failed flush the service logs the reason and exits, acknowledges nothing more, and can be restarted", async () => {
  await using petstore = await spawnPetstore({ env: { NODE_OPTIONS: `--import=${failingDisk}` } })
  const create = async (name: string) =>
    (await petstore.as("special-key").addPet({ body: { name, photoUrls: [] } })).value
  const acknowledged = [await create("before"), await create("before, too")]

  process.kill(petstore.pid, "SIGUSR2")
  await petstore.logged({ msg: "disk fails from now on" })
  await assert.rejects(create("unknown"), /fetch failed|terminated/)
  assert.deepEqual(await petstore.ended, { code: 1, signal: null })
  const { level, err } = await petstore.logged({ msg: "ended by an error" })
  assert.equal(level, 50)
  assert.match((err as { message: string }).message, /^the disk failed/)

  await petstore.restart()
  acknowledged.push(await create("after"))
  await petstore.kill("SIGTERM")
  const { pets, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  for (const pet of acknowledged) assert.deepEqual(pets.get(pet.id), pet)
})

test("when the log cannot be written the client learns that the outcome is unknown, and a repeat creates one pet", {
  skip: !hasPrlimit,
}, async () => {
  await using petstore = await spawnPetstore()
  const limit = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(petstore.pid), `--fsize=${bytes}:unlimited`])
  const body = { name: "twice", photoUrls: [] }
  const create = () => petstore.as("special-key").addPet({ body, idempotencyKey: "one" })

  limit(statSync(`${petstore.databaseFile}-wal`).size + 4096)
  await assert.rejects(create(), (error: Refused) => {
    assert.match(error.message, /not known whether the change was made.* the same Idempotency-Key/)
    assert.doesNotMatch(error.message, /Nothing was changed/)
    return error.status === 503 && error.headers.has("retry-after")
  })

  limit("unlimited")
  const { value } = await create()
  const { pets } = examine(petstore.databaseFile)
  assert.deepEqual(
    [...pets.values()].filter(({ name }) => name === "twice"),
    [value],
  )
})
