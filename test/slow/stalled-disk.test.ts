// Runs beside two other files at most.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { Refused } from "../../src/client/client.ts"
import { checkReadiness } from "../../src/client/readiness.ts"
import { examine } from "../harness/consistency.ts"
import { samplesIn, sumOf } from "../harness/metrics.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { hasPrlimit, type Spawned, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

const stallingDisk = join(import.meta.dirname, "..", "harness", "stalling-disk.ts")
const measure = async ({ url }: Spawned, name: string, labels = {}) =>
  sumOf(samplesIn(await (await fetch(`${url}/metrics`)).text()), name, labels)
/** Number of log lines with this message; waits for the first. */
async function countLines(petstore: Spawned, msg: string): Promise<number> {
  await petstore.logged({ msg })
  return petstore.stdout.split("\n").filter((line) => line.includes(`"msg":"${msg}"`)).length
}

/** The `detail` of a 503 response, and its delay in seconds. */
async function refusal(call: () => Promise<unknown>): Promise<{ detail: string; seconds: number }> {
  const began = performance.now()
  const error = await call().then(
    () => assert.fail("the call was not refused"),
    (error: unknown) => error,
  )
  assert.ok(error instanceof Refused)
  assert.deepEqual(
    { status: error.status, code: error.problem.code, "retry-after": error.headers.has("retry-after") },
    { status: 503, code: "unavailable", "retry-after": true },
  )
  return { detail: String(error.problem.detail), seconds: (performance.now() - began) / 1000 }
}

test("when the disk stalls, changes return 503 after five seconds with their outcome, and no request waits for the disk", async (t) => {
  await using petstore = await spawnPetstore({ env: { NODE_OPTIONS: `--import=${stallingDisk}` } })
  const store = petstore.as("special-key")
  const { value: key } = await store.createKey({ body: { name: "leaked", scopes: ["read:pets"] } })
  const leaked = petstore.as(key.secret)
  await leaked.getPetById({ params: { petId: 1 } })
  const create = (name: string) => store.addPet({ body: { name, photoUrls: [] }, idempotencyKey: name })

  // What it writes at its start and for the first use of a key would be flushed first, and the revocation would wait for that.
  const flushes = () => measure(petstore, "petstore_database_flush_duration_seconds_count")
  await until(async () => {
    const earlier = await flushes()
    await after(1_000)
    return (await flushes()) === earlier
  }, "the service does not stop writing")
  process.kill(petstore.pid, "SIGUSR2")
  await petstore.logged({ msg: "disk stalls" })
  const revoked = refusal(() => store.revokeKey({ params: { id: key.id } }))
  // The revocation is being flushed; later requests run while it waits.
  await until(
    async () => (await measure(petstore, "petstore_database_flush_age_seconds")) > 1,
    "no flush is in progress",
  )
  const later = await refusal(() => create("later"))
  const flushing = await revoked
  assert.ok(flushing.seconds > 4 && flushing.seconds < 20, `${flushing.seconds} s`)
  assert.match(flushing.detail, /not known whether the change was made/)
  assert.doesNotMatch(flushing.detail, /Nothing was changed/)
  assert.match(later.detail, /the disk has not confirmed a write for 5 seconds\. Nothing was changed/)

  const refusals = await Promise.all(Array.from({ length: 50 }, (_, n) => refusal(() => create(`refused ${n}`))))
  for (const { detail, seconds } of refusals) assert.ok(seconds < 5 && detail.endsWith("Nothing was changed."), detail)
  reportEffort(t, { faults: 1, "in flight": refusals.length })
  const { isReady, reason } = await checkReadiness(petstore.url)
  assert.match(`${isReady} ${reason}`, /^false Nothing can be written: the disk has not confirmed a write/)
  assert.equal((await store.getPetById({ params: { petId: 1 } })).status, 200)
  await leaked.getPetById({ params: { petId: 1 } })

  process.kill(petstore.pid, "SIGUSR2")
  await petstore.logged({ msg: "disk answers" })
  await until(async () => (await checkReadiness(petstore.url)).isReady, "the service did not become ready")
  await assert.rejects(leaked.getPetById({ params: { petId: 1 } }), (error: Refused) => error.status === 401)
  const { value: pet } = await create("later")
  assert.ok((await measure(petstore, "petstore_database_flush_duration_seconds_count", { file: "log" })) > 0)
  assert.equal(await countLines(petstore, "nothing can be written until the disk responds"), 1)
  assert.equal(await countLines(petstore, "the disk responds: writes are accepted again"), 1)
  const causes = petstore.stdout.split("\n").filter((line) => line.includes('"stack"'))
  assert.ok(causes.length <= 2, causes.join("\n"))

  await petstore.kill("SIGTERM")
  const { pets, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(
    { contradictions, pets: pets.size, name: pets.get(pet.id)?.name },
    { contradictions: [], pets: 11, name: "later" },
  )
})

test("a failing checkpoint is logged once and reported while the log grows, and cleared when the log is copied", {
  skip: !hasPrlimit,
}, async () => {
  await using petstore = await spawnPetstore()
  const store = petstore.as("special-key")
  const limit = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(petstore.pid), `--fsize=${bytes}:unlimited`])
  const fill = async (pets: number) => {
    const body = { name: "large", photoUrls: Array(50).fill("x".repeat(2000)) }
    for (let n = 0; n < pets; n++) await store.addPet({ body })
  }
  const health = async () => (await (await fetch(`${petstore.url}/readyz`)).json()) as { degraded?: string[] }
  await fill(100)
  limit(await measure(petstore, "petstore_database_size_bytes"))
  // The log file already has that size, and its space is reused from the start.
  for (let n = 0; n < 100 && (await health()).degraded === undefined; n++) await fill(1)
  await petstore.logged({ level: 50, reason: "the disk reported an error" })
  assert.deepEqual((await health()).degraded, ["checkpoint"])
  const isMeasured = async () => (await measure(petstore, "petstore_database_checkpoint_failing")) === 1
  await until(isMeasured, "the metrics do not show it")

  limit("unlimited")
  await until(async () => (await health()).degraded === undefined, "the log is still not copied")
  assert.equal(await countLines(petstore, "the write-ahead log cannot be copied into the database, and grows"), 1)
  assert.equal(await countLines(petstore, "the write-ahead log is copied into the database again"), 1)
})
