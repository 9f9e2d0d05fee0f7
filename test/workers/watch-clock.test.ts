import assert from "node:assert/strict"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import pino from "pino"
import { startMaintenance } from "../../src/core/workers/maintenance.ts"
import { watchClock } from "../../src/core/workers/watch-clock.ts"
import { manualClock } from "../harness/clock.ts"
import { machineWith, petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { repeatedMembers } from "../harness/log-lines.ts"
import { startPetstore } from "../harness/petstore.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const petstore = usePetstore({}, "one for each test")
const admin = petstore.as("special-key")

/** A process whose rounds the test triggers, and what it logs about the clock. */
function startProcess(shared = false) {
  const lines: { level: number; msg: string }[] = []
  const write = (line: string) => {
    assert.deepEqual(repeatedMembers(line), [], line)
    lines.push(JSON.parse(line))
  }
  const log = pino({ base: null }, { write })
  const { clock, blobs, retention, store } = petstore
  const parts = { clock, log, blobs, retention, sealing: { seal: String, open: String } }
  const clockWatch = watchClock({ ...store, isShared: shared }, clock, log)
  let rotations = 0
  const rotate = async () => void rotations++
  return {
    round: () =>
      startMaintenance({ ...parts, store }, { holder: "test", servingSince: clock.now() }, [rotate], clockWatch)(),
    said: () =>
      lines
        .splice(0)
        .filter(({ msg }) => msg.includes("clock"))
        .map(({ level, msg }) => `${level} ${msg}`),
    rotations: () => rotations,
  }
}

/** Rows that retention removes (stored responses, events, revoked keys), and the orders it cancels. */
function kept(): unknown[] {
  using db = new DatabaseSync(petstore.databaseFile, { readOnly: true })
  const text = `SELECT (SELECT count(*) FROM idempotency) AS responses, (SELECT count(*) FROM events) AS events,
                       (SELECT count(*) FROM keys WHERE revoked_at IS NOT NULL) AS keys, (SELECT count(*) FROM audit) AS audit`
  return Object.values(db.prepare(text).get() ?? {})
}

async function makeHistory() {
  await admin.addPet({ body: { name: "Rex", photoUrls: [] }, idempotencyKey: "one" })
  const { value: key } = await admin.createKey({ body: { name: "gone", scopes: ["read:pets"] } })
  await admin.revokeKey({ params: { id: key.id } })
  await petstore.worker.tick()
}

test("a clock that jumps ahead deletes nothing, also after restarts, is reported once, and deletes as before once corrected", async () => {
  await makeHistory()
  const first = startProcess()
  await first.round()
  assert.deepEqual(first.said(), [])
  const history = kept()
  petstore.clock.jump(400 * day)
  for (const process of [first, startProcess()]) {
    const before = process.rotations()
    for (let n = 0; n < 3; n++) {
      petstore.clock.advance(10 * minute)
      await process.round()
    }
    const [warning, ...others] = process.said()
    assert.match(
      warning ?? "",
      /^40 the clock is more than 24 hours from .+ If the time is wrong, correct it .+ confirm-clock/,
    )
    assert.deepEqual(
      { others, kept: kept(), rotations: process.rotations() },
      { others: [], kept: history, rotations: before },
    )
  }
  petstore.clock.jump(-400 * day)
  await first.round()
  assert.match(first.said()[0] ?? "", /^30 the clock is trusted again/)
  assert.equal(first.rotations(), 2)
  for (let n = 0; n < 2; n++) {
    petstore.clock.advance(20 * hour)
    await first.round()
  }
  assert.equal(kept()[0], 0)
})

test("a service that was stopped for a month deletes by age again once its clock has run for a day", async () => {
  await makeHistory()
  await startProcess().round()
  const history = kept()
  petstore.clock.advance(31 * day)
  const process = startProcess()
  await process.round()
  petstore.clock.advance(12 * hour)
  await process.round()
  assert.deepEqual(kept(), history)
  const again = startProcess()
  petstore.clock.advance(12 * hour)
  await again.round()
  assert.deepEqual(kept().slice(0, 3), [0, 0, 0])
  assert.deepEqual(again.said(), [])
})

test("another jump while the clock is doubted restarts the wait, and so does a jump back", async () => {
  await makeHistory()
  const process = startProcess()
  await process.round()
  const history = kept()
  for (const jump of [400 * day, 30 * day, -1000 * day, 2000 * day]) {
    petstore.clock.jump(jump)
    await process.round()
    petstore.clock.advance(20 * hour)
    await process.round()
    assert.deepEqual(kept(), history, `${jump / day}`)
  }
})

test("an operator who confirms the time ends the wait at the next round, with an audit entry", async () => {
  await makeHistory()
  await startProcess().round()
  petstore.clock.advance(31 * day)
  const process = startProcess()
  await process.round()
  const here = machineWith({ PETSTORE_DATA_DIR: dirname(petstore.databaseFile) })
  const { out } = await petstoreCommand(petstore.url, ["admin", "confirm-clock"], here)
  const time = new Date(petstore.clock.now()).toISOString()
  assert.equal(out, `The time ${time} is confirmed: retention continues within ten minutes.\n`)
  await process.round()
  assert.deepEqual(kept().slice(0, 3), [0, 0, 0])
  const [entry] = (await admin.listAudit({ query: { limit: 1 } })).value
  assert.deepEqual(
    { action: entry?.action, principal: entry?.principal },
    { action: "clock.confirmed", principal: "operator" },
  )
})

test("among several processes, one whose clock differs from the database's deletes nothing, however long, nor makes others trust it", async () => {
  await makeHistory()
  await startProcess().round()
  const history = kept()
  // The manual clock differs from the machine's, which the database reads.
  const process = startProcess(true)
  for (let n = 0; n < 4; n++) {
    await process.round()
    petstore.clock.advance(20 * hour)
  }
  assert.deepEqual(kept(), history)
  assert.match(process.said().join(), /^40 the clock is more than 24 hours from that of the database[^,]+$/)
  const other = startProcess()
  await other.round()
  assert.match(other.said().join(), /^40 the clock is more than 24 hours from the last round/)
})

test("a start with a clock far ahead is ready, reports retention as degraded, and keeps everything (slow)", async () => {
  using place = temporaryDirectory()
  const env = { PETSTORE_DATA_DIR: place.path }
  const clock = manualClock()
  const events = async (url: string) =>
    (await (await fetch(`${url}/api/v3/events`, { headers: { api_key: "special-key" } })).json()) as unknown[]
  let before: unknown[]
  {
    await using first = await startPetstore({ env, clock, housekeeping: true })
    await first.as("special-key").addPet({ body: { name: "Rex", photoUrls: [] } })
    assert.deepEqual(await readyz(first.url), { status: "ready" })
    before = await events(first.url)
  }
  clock.jump(400 * day)
  {
    // The round has ended with it.
    await using later = await startPetstore({ env, clock, housekeeping: true })
    await until(async () => (await readyz(later.url)).degraded?.[0] === "retention", "the jump is not told")
  }
  await using last = await startPetstore({ env, clock })
  assert.ok(before.length > 0)
  assert.deepEqual(await events(last.url), before)
})

const readyz = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as { degraded?: string[] }
