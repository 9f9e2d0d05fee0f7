// Runs in a process of its own.
import assert from "node:assert/strict"
import type { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import fc from "fast-check"
import { addPets, type PetToAdd } from "../../src/core/domain/pets/add.ts"
import {
  type Database,
  OutcomeUnknown,
  type Repositories,
  type SharedWork,
  StoreUnavailable,
} from "../../src/core/domain/ports/store.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { anyFatesOfServer, type Fate, type Fates } from "../simulation/fates.ts"
import { SimulatedPostgres, simulatedUrl } from "../simulation/postgres.ts"
import { type Schedule, simulate } from "../simulation/simulate.ts"

/**
 * What a client does: adds a pet in a transaction of its own, or fails after that; adds pets in transactions that others share, one
 * of them perhaps with a taken id or an error; reads.
 */
type Step = "add" | "fail" | "share" | "share many" | "share with a taken id" | "share with an error" | "read"
type Scenario = {
  clients: Step[][]
  /** Milliseconds that pass, in turn. */
  passing: number[]
  fates: Fates
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  clients: fc.array(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<Step>("add") },
        { weight: 4, arbitrary: fc.constantFrom<Step>("share", "share many", "read") },
        { weight: 1, arbitrary: fc.constantFrom<Step>("fail", "share with a taken id", "share with an error") },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  passing: fc.array(fc.constantFrom(1, 10, 50, 600, 3000), { maxLength: 30 }),
  fates: anyFatesOfServer({ commits: 12, statements: 100 }),
})

/** A transaction is attempted five times, and again while others hold its rows: for five seconds, every tenth of one. */
const runsMax = 5 * (2 + 2 * 50)
/** More than one transaction takes that runs while others wait for it. */
const many = 25
const takenId = 7
/** Each takes a tenth of a second of processor time. */
const runs = 40
/** Sooner no timeout ends. */
const quickMs = 4_000

const seen = { unknownAndStored: 0, unknownAndNot: 0, refused: 0, repeated: 0, largest: 0 }

test("in any order of transactions, errors, lost replies and cut connections: what was acknowledged is stored once, and nothing that was refused", async (t) => {
  const effort = await simulate(scenario, runScenario, runs)
  reportEffort(t, {
    ...effort,
    "unknown outcomes": seen.unknownAndStored + seen.unknownAndNot,
    refusals: seen.refused,
    "work repeated": seen.repeated,
    "largest shared transaction": seen.largest,
  })
})

async function runScenario({ clients, passing, fates }: Scenario, schedule: Schedule): Promise<void> {
  using server = new SimulatedPostgres(schedule, fates)
  const store = await openPostgres(simulatedUrl, { connections: 6, stream: server.stream })
  await store.transaction((tx) => tx.pets.add([samplePet(takenId)]))
  const maps = { outcomes: new Map(), runs: new Map(), ids: new Map() }
  const recorded: Recorded = { ...maps, contradictions: [], pending: 0, passedMs: 0 }

  server.start()
  for (const [n, steps] of clients.entries()) void runClient(store, n, steps, recorded, schedule)
  void letPass(passing, recorded, schedule)
  await schedule.run()
  server.calm()

  assert.equal(recorded.pending, 0, "a caller has no outcome")
  assert.deepEqual(recorded.contradictions, [])
  check(recorded, storedIn(server.db))
  if (!server.hasFailed && recorded.passedMs < quickMs) checkAllStored(recorded)
  await store.close()
}

test("nothing is committed of a transaction whose BEGIN is refused, although its statements are sent with it", async () => {
  const refusal = fc.constantFrom<Fate>("is in a conflict", "is cancelled")
  await simulate(refusal, runRefused, 4)
})

async function runRefused(fate: Fate, schedule: Schedule): Promise<void> {
  using server = new SimulatedPostgres(schedule, { commits: [], statements: [fate], connections: [] })
  const store = await openPostgres(simulatedUrl, { connections: 6, stream: server.stream })
  server.start()
  const data = { id: 1, name: "p", status: "available" } as const
  const settled = Promise.allSettled([store.transaction((tx) => tx.events.add("pet.created", data, 1))])
  await schedule.run()
  // The pause before it is repeated.
  schedule.pass(100)
  await schedule.run()
  server.calm()
  const [{ status }] = await settled
  assert.equal(status, fate === "is cancelled" ? "rejected" : "fulfilled")
  assert.equal((await store.events.after(0, 10)).length, status === "rejected" ? 0 : 1)
  await store.close()
}

test("the simulation meets every fault, outcomes of both kinds that are unknown, and transactions of many", () => {
  if (process.env.SIMULATION) return
  assert.ok(Object.values(seen).every((count) => count > 0) && seen.largest > 20, JSON.stringify(seen))
})

type Outcome = "stored" | "refused" | "unknown"
type Recorded = {
  /** By the name of a pet. */
  outcomes: Map<string, Outcome>
  runs: Map<string, number>
  /** The names of acknowledged pets by id. */
  ids: Map<number, string>
  contradictions: string[]
  pending: number
  passedMs: number
}

/** Does one step after the other, and records what the store said of each pet. */
async function runClient(store: Database, client: number, steps: Step[], recorded: Recorded, schedule: Schedule) {
  const { outcomes, ids, contradictions } = recorded
  const actions = createActions(store, recorded)

  async function attempt(name: string, add: () => Promise<number | undefined>): Promise<void> {
    recorded.pending++
    try {
      const id = await add()
      outcomes.set(name, id === undefined ? "refused" : "stored")
      if (id !== undefined) ids.set(id, name)
    } catch (error) {
      outcomes.set(name, error instanceof OutcomeUnknown ? "unknown" : "refused")
      const isOwn = error instanceof Error && error.message === name && /bad/.test(name)
      if (!isOwn && !(error instanceof StoreUnavailable)) contradictions.push(`${name}: ${error}`)
    } finally {
      recorded.pending--
    }
  }

  for (const [n, step] of steps.entries()) {
    recorded.pending++
    await schedule.turn(`client ${client}`)
    const name = `${step} ${client}.${n}`
    if (step === "add" || step === "fail") {
      const id = 1_000_000 + client * 100 + n
      await attempt(step === "add" ? name : `bad ${name}`, () => actions.add(step === "add" ? name : `bad ${name}`, id))
    } else if (step === "read") await actions.read()
    else {
      const drafts = Array.from({ length: step === "share" ? 3 : many }, (_, k) => ({ name: `${name}.${k}`, id: 0 }))
      if (step === "share with an error") drafts.push({ name: `bad ${name}`, id: 0 })
      if (step === "share with a taken id") drafts.push({ name: `taken ${name}`, id: takenId })
      await Promise.all(drafts.map(({ name, id }) => attempt(name, () => actions.share(name, id))))
    }
    recorded.pending--
  }
}

function createActions(store: Database, { runs, ids, contradictions }: Recorded) {
  const countRun = (name: string) => runs.set(name, (runs.get(name) ?? 0) + 1)

  const addTogether: SharedWork<PetToAdd, Awaited<ReturnType<typeof addPets>>[number]> = async (tx, inputs) => {
    seen.largest = Math.max(seen.largest, inputs.length)
    for (const { draft } of inputs) countRun(draft.name)
    const added = await addPets(tx, inputs)
    const bad = inputs.find(({ draft }) => draft.name.startsWith("bad"))
    if (bad) throw new Error(bad.draft.name)
    return added
  }

  return {
    add: (name: string, id: number) =>
      store.transaction(async (tx: Repositories) => {
        countRun(name)
        await tx.events.add("pet.created", { id, name, status: "available" }, 1)
        await tx.pets.add([samplePet(id, { name })])
        if (name.startsWith("bad")) throw new Error(name)
        return id
      }),
    async share(name: string, id: number): Promise<number | undefined> {
      const added = await store.shared(addTogether, { draft: { ...(id && { id }), name, photoUrls: [] }, at: 1 })
      if (added && added.pet.name !== name) contradictions.push(`${name} has the result of ${added.pet.name}`)
      return added?.pet.id
    },
    /** All at once, which are few queries. */
    async read(): Promise<void> {
      const acknowledged = [...ids].slice(-many)
      const read = acknowledged.map(async ([id, name]) => {
        const found = await store.pets.read(id)
        if (found === undefined || JSON.parse(found.json).name !== name)
          contradictions.push(`${name} is read as ${found?.json}`)
      })
      for (const outcome of await Promise.allSettled(read))
        if (outcome.status === "rejected" && !(outcome.reason instanceof StoreUnavailable))
          contradictions.push(`reading: ${outcome.reason}`)
    },
  }
}

/** Until every caller has an outcome. */
async function letPass(passing: number[], recorded: Recorded, schedule: Schedule): Promise<void> {
  do {
    await schedule.turn("time")
    const ms = passing.shift() ?? 500
    recorded.passedMs += ms
    schedule.pass(ms)
  } while (recorded.pending > 0)
}

type Stored = { pets: Map<string, number[]>; events: Map<string, number[]>; inventory: number }

/** The ids of pets and events by the names of pets, and how many pets are counted. */
function storedIn(db: DatabaseSync): Stored {
  const idsByName = (table: "pets" | "events", name: string) => {
    const rows = db.prepare(`SELECT id, json_extract(json, '${name}') AS name FROM ${table}`).all()
    return new Map(
      [...Map.groupBy(rows, (row) => String(row.name))].map(([name, rows]) => [name, rows.map(({ id }) => Number(id))]),
    )
  }
  const inventory = db.prepare("SELECT sum(pets) AS pets FROM inventory").get()
  return {
    pets: idsByName("pets", "$.name"),
    events: idsByName("events", "$.data.name"),
    inventory: Number(inventory?.pets),
  }
}

function check({ outcomes, runs, ids }: Recorded, { pets, events, inventory }: Stored): void {
  for (const [name, outcome] of outcomes) {
    const [stored, announced] = [pets.get(name)?.length ?? 0, events.get(name)?.length ?? 0]
    const expected = { stored: [1], refused: [0], unknown: [0, 1] }[outcome]
    assert.ok(expected.includes(stored), `${name}, ${outcome}, is there ${stored} times`)
    assert.equal(announced, stored, `${name}, ${outcome}, has ${announced} events`)
    if (outcome === "refused") seen.refused++
    if (outcome === "unknown") seen[stored ? "unknownAndStored" : "unknownAndNot"]++
  }
  for (const [id, name] of ids) assert.deepEqual(pets.get(name), [id], `${name} has the id that its caller received`)
  for (const [name, count] of runs) {
    assert.ok(count <= runsMax, `${name} ran ${count} times`)
    if (count > 1) seen.repeated++
  }
  const asked = new Set([...outcomes.keys(), samplePet(takenId).name])
  assert.deepEqual(
    [...pets.keys()].filter((name) => !asked.has(name)),
    [],
    "pets that no client added",
  )
  assert.equal(inventory, [...pets.values()].flat().length, "the inventory counts each pet once")
}

/** What is wrong with one input concerns no other. */
function checkAllStored({ outcomes }: Recorded): void {
  for (const [name, outcome] of outcomes) assert.equal(outcome, /^(bad|taken)/.test(name) ? "refused" : "stored", name)
}
