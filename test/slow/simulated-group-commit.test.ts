// Runs in a process of its own.
import assert from "node:assert/strict"
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { after, test } from "node:test"
import fc from "fast-check"
import { type Database, OutcomeUnknown, type Repositories } from "../../src/core/domain/ports/store.ts"
import { type Disk, openDisk } from "../../src/core/sqlite/disk.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { examine } from "../harness/consistency.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { emptyDatabases } from "../simulation/databases.ts"
import { type Schedule, simulate } from "../simulation/simulate.ts"

const databases = await emptyDatabases()
after(() => databases[Symbol.dispose]())

/**
 * What a client does in a transaction, with pauses: adds a pet, one with much text, or more at once than a group takes; reads; is
 * refused before it has written anything, or fails after that.
 */
type Step = { do: "add" | "add much" | "add many" | "read" | "refuse" | "fail"; pauses: number }
type Scenario = {
  clients: Step[][]
  /** What each flush of the disk does, in turn. */
  flushes: ("completes" | "stalls" | "fails")[]
  /** When the power fails: after this many turns. */
  turns: number
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 12, arbitrary: fc.constant("add" as const) },
    { weight: 1, arbitrary: fc.constantFrom("add much" as const, "add many" as const) },
    { weight: 6, arbitrary: fc.constantFrom("read" as const, "refuse" as const, "fail" as const) },
  ),
  pauses: fc.nat(2),
})
const scenario: fc.Arbitrary<Scenario> = fc.record({
  clients: fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
  flushes: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant("completes" as const) },
      { weight: 1, arbitrary: fc.constantFrom("stalls" as const, "fails" as const) },
    ),
    { maxLength: 12 },
  ),
  turns: fc.nat(60),
})

/** More than half of what makes a checkpoint due. */
const much = Array(300).fill("x".repeat(2 * 4096))
const moreThanAGroup = 70

test("in any order of transactions, flushes and a power failure: what was acknowledged or read is on the disk, and nothing that was refused", async (t) =>
  reportEffort(
    t,
    await simulate(scenario, async ({ clients, flushes, turns }, schedule) => {
      using files = filesOf()
      const machine = simulatedMachine(files, flushes, schedule)
      const store = openSqlite(files.live, machine)
      const recorded: Recorded = { asked: new Set(), present: new Set(), absent: new Set(), pending: 0 }
      for (const [n, steps] of clients.entries()) void runClient(store, n, steps, recorded, schedule)
      void readOften(store, recorded, schedule)

      await schedule.run(turns)
      const atFailure = { present: [...recorded.present], absent: [...recorded.absent] }
      for (const [database, log] of files.images()) {
        const { pets, contradictions } = examine(database, log)
        assert.deepEqual(contradictions, [])
        for (const id of atFailure.present) assert.ok(pets.has(id), `pet ${id} is lost`)
        for (const id of atFailure.absent) assert.ok(!pets.has(id), `pet ${id} was refused, and exists`)
      }

      await schedule.run()
      if (!machine.hasFailed()) assert.equal(recorded.pending, 0, "a transaction has no outcome")
      for (const id of recorded.present) assert.ok(await store.pets.read(id), `pet ${id} cannot be read`)
      for (const id of recorded.absent) assert.equal(await store.pets.read(id), undefined)
      // A store whose disk has failed has no end of its own: its process ends.
      if (!machine.hasFailed()) await store.close()
    }),
  ))

type Recorded = { asked: Set<number>; present: Set<number>; absent: Set<number>; pending: number }

/** Does one step after the other, and records what the store said of each. */
async function runClient(store: Database, client: number, steps: Step[], recorded: Recorded, schedule: Schedule) {
  const attempt = async (what: Step["do"], pauses: number, id: number): Promise<void> => {
    recorded.asked.add(id)
    recorded.pending++
    const work = async (tx: Repositories): Promise<void> => {
      for (let pause = 0; pause < pauses; pause++) await schedule.turn(`transaction of client ${client}`)
      if (what === "read") return void (await tx.pets.read(id - 1))
      if (what === "refuse") throw new Error(what)
      await tx.pets.add([samplePet(id, { photoUrls: what === "add much" ? much : [] })])
      await tx.events.add("pet.created", { id, name: `pet ${id}`, status: "available" }, 1)
      if (what === "fail") throw new Error(what)
    }
    await store.transaction(work).then(
      () => what.startsWith("add") && recorded.present.add(id),
      (error) => error instanceof OutcomeUnknown || recorded.absent.add(id),
    )
    recorded.pending--
  }
  for (const [n, { do: what, pauses }] of steps.entries()) {
    await schedule.turn(`client ${client}`)
    const first = (client * 100 + n) * 100 + 1
    const count = what === "add many" ? moreThanAGroup : 1
    await Promise.all(Array.from({ length: count }, (_, k) => attempt(what, count > 1 ? 0 : pauses, first + k)))
  }
}

/** What can be read is on the disk. */
async function readOften(store: Database, recorded: Recorded, schedule: Schedule) {
  for (let n = 0; n < 20; n++) {
    await schedule.turn("reader")
    for (const id of recorded.asked) if (await store.pets.read(id)) recorded.present.add(id)
  }
}

/** The files of a run, and what a power failure would leave of them. */
function filesOf() {
  const path = join(databases.directory, "run")
  mkdirSync(path)
  const live = join(path, "live.db")
  databases.copyTo(live)
  const kept = join(path, "kept.db")
  return {
    live,
    /** What is on the disk for certain. */
    keep: (suffix: "" | "-wal", written = `${live}${suffix}`) => copyFileSync(written, `${kept}${suffix}`),
    /** The database and its log, each as it is on the disk for certain, or as it was written. */
    images(): [string, string][] {
      const databases = readFileSync(kept).equals(readFileSync(live)) ? [kept] : [kept, live]
      return databases.flatMap((database) => [kept, live].map((log): [string, string] => [database, `${log}-wal`]))
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  }
}

/** A disk whose flushes end when the schedule says. */
function simulatedMachine(files: ReturnType<typeof filesOf>, flushes: Scenario["flushes"], schedule: Schedule) {
  let hasFailed = false
  const flush = (suffix: "" | "-wal") => async () => {
    const fate = flushes.shift() ?? "completes"
    const copy = `${files.live}${suffix}.flushing`
    copyFileSync(`${files.live}${suffix}`, copy)
    await schedule.turn(`flush of the ${suffix === "" ? "database" : "log"}`)
    if (fate === "fails") throw new Error("EIO")
    if (fate === "stalls") {
      schedule.pass(5001)
      await schedule.turn("stalled flush")
    }
    files.keep(suffix, copy)
  }
  return {
    openDisk(db: DatabaseSync): Disk {
      const disk = openDisk(db)
      files.keep("")
      files.keep("-wal")
      return { ...disk, syncLog: flush("-wal"), syncDatabase: flush("") }
    },
    endProcess: () => {
      hasFailed = true
    },
    hasFailed: () => hasFailed,
  }
}
