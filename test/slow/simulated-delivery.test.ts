// Runs in a process of its own.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import fc from "fast-check"
import pino from "pino"
import type { Database } from "../../src/core/domain/ports/store.ts"
import type { Outcome } from "../../src/core/domain/webhooks/deliveries/model.ts"
import { waitsMs } from "../../src/core/domain/webhooks/deliveries/rules.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { createDeliveryWorker } from "../../src/core/workers/delivery/worker.ts"
import { manualClock } from "../harness/clock.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { emptyDatabases } from "../simulation/databases.ts"
import { type Schedule, simulate } from "../simulation/simulate.ts"

const databases = await emptyDatabases()
after(() => databases[Symbol.dispose]())

type Scenario = {
  /** Whether each webhook is ordered. */
  webhooks: boolean[]
  /** Changes of one client, one after the other: of which pet, and whether the change is refused after all. */
  clients: { petId: number; isRefused: boolean }[][]
  workers: number
  /** After how many turns a worker is killed, and another one starts. */
  kills: number[]
  /** What receivers do, in turn; later they accept. */
  responses: ("accepts" | "fails" | "is slow")[]
  /** Milliseconds that pass now and then. */
  passing: number[]
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  webhooks: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  clients: fc.array(
    fc.array(
      fc.record({
        petId: fc.integer({ min: 1, max: 3 }),
        isRefused: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  workers: fc.integer({ min: 1, max: 3 }),
  kills: fc.array(fc.integer({ min: 5, max: 80 }), { maxLength: 2 }),
  // Fewer than the attempts of a delivery, after which it is given up.
  responses: fc.array(fc.constantFrom("accepts" as const, "fails" as const, "is slow" as const), {
    maxLength: waitsMs.length,
  }),
  passing: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 10 }),
})

/** Time for every retry of a delivery, and each time for the lease of a killed worker to end. */
const later = waitsMs.flatMap((ms) => [ms, 70_000])

test("in any order of changes, attempts and kills: each committed event arrives, of an ordered pet in its order, and never twice at once", async (t) =>
  reportEffort(
    t,
    await simulate(scenario, async (input, schedule) => {
      await using world = worldOf(schedule, input.responses)
      await world.addWebhooks(input.webhooks)
      for (let n = 0; n < input.workers; n++) world.startWorker()
      for (const changes of input.clients) void world.change(changes)
      void world.letPass(input.passing)
      for (const turns of input.kills) {
        await schedule.run(turns)
        world.killWorker()
        world.startWorker()
      }
      await schedule.run()
      for (const ms of later) {
        world.pass(ms)
        await schedule.run()
      }
      world.check(input)
    }),
  ))

/** A process with a worker. */
type Process = { isDead: boolean }
type Attempt = { url: string; name: string; petId: number; worker: Process; end?: "accepted" | "failed" }

function worldOf(schedule: Schedule, responses: Scenario["responses"]) {
  const database = databases.open()
  const clock = manualClock()
  const attempts: Attempt[] = []
  const committed: string[] = []
  const workers: Process[] = []
  let names = 0

  const post = async (worker: Process, url: string, body: string): Promise<Outcome> => {
    const { id: petId, name } = JSON.parse(body).data as { id: number; name: string }
    const underWay = attempts.filter((one) => one.url === url && one.name === name && one.end === undefined)
    assert.deepEqual(
      underWay.filter((one) => !one.worker.isDead),
      [],
      `${name} is sent to ${url} twice at once`,
    )
    const attempt: Attempt = { url, name, petId, worker }
    attempts.push(attempt)
    const response = responses.shift() ?? "accepts"
    const start = clock.now()
    await schedule.turn(`response to ${name}`)
    if (response === "is slow") for (let n = 0; n < 3; n++) await schedule.turn(`slow response to ${name}`)
    if (!worker.isDead) attempt.end = response === "fails" ? "failed" : "accepted"
    const [status, error] = response === "fails" ? [500, "status" as const] : [200, undefined]
    return { at: start, durationMs: clock.now() - start, status, error, response: "", retryAfterMs: undefined }
  }

  return {
    addWebhooks: (ordered: boolean[]) =>
      database.transaction(async (tx) => {
        const { id } = await tx.accounts.add({ name: "a", plan: "free" })
        for (const [n, one] of ordered.entries()) {
          const draft = { url: `https://receiver-${n}.example/`, events: ["pet.created" as const], ordered: one }
          await tx.webhooks.add(newWebhook(draft, id, clock.now()), "whsec_AAAA")
        }
      }),
    startWorker(): void {
      const process = { isDead: false }
      workers.push(process)
      createDeliveryWorker(
        {
          store: storeOf(process, database, schedule),
          clock,
          realClock: clock,
          random: () => 0.5,
          log: pino({ enabled: false }),
          sealing: { seal: (text) => text, open: (text) => text },
        },
        { post: ({ url, body }) => post(process, url, body), close: async () => {} },
      ).start()
    },
    killWorker(): void {
      const oldest = workers.find(({ isDead }) => !isDead)
      if (oldest) oldest.isDead = true
    },
    async change(changes: Scenario["clients"][number]): Promise<void> {
      for (const { petId, isRefused } of changes) {
        const name = `change ${names++}`
        await schedule.turn(name)
        await database
          .transaction(async (tx) => {
            await tx.events.add("pet.created", { id: petId, name, status: "available" }, clock.now())
            await schedule.turn(`${name} is written`)
            if (isRefused) throw new Error("refused")
          })
          .then(
            () => committed.push(name),
            () => undefined,
          )
      }
    },
    async letPass(passing: number[]): Promise<void> {
      for (const ms of passing) {
        await schedule.turn("time")
        this.pass(ms)
      }
    },
    pass(ms: number): void {
      clock.advance(ms)
      schedule.pass(Math.min(ms, 2000))
    },
    check: ({ webhooks, kills }: Scenario) => check(attempts, committed, webhooks, kills.length > 0),
    async [Symbol.asyncDispose]() {
      for (const worker of workers) worker.isDead = true
      await schedule.run()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The store as a process has it: killed, it does nothing more, and what it has not committed is rolled back. */
const storeOf = (process: Process, database: Database, schedule: Schedule): Database => ({
  ...database,
  async transaction(work) {
    const requireLife = async (label: string) => {
      await schedule.turn(label)
      if (process.isDead) throw new Error("killed")
    }
    const result = await database
      .transaction(async (tx) => {
        await requireLife("transaction of a worker")
        const value = await work(tx)
        await requireLife("commit of a worker")
        return value
      })
      .catch((error) => {
        if (!process.isDead) throw error
        return new Promise<never>(() => {})
      })
    return process.isDead ? new Promise<never>(() => {}) : result
  },
})

function check(attempts: Attempt[], committed: string[], webhooks: boolean[], wereKilled: boolean): void {
  for (const [n, isOrdered] of webhooks.entries()) {
    const own = attempts.filter(({ url }) => url === `https://receiver-${n}.example/`)
    const accepted = own.filter(({ end }) => end === "accepted").map(({ name }) => name)
    assert.deepEqual([...new Set(accepted)].sort(), committed.toSorted(), "the committed events, and no others, arrive")
    if (!wereKilled) assert.equal(accepted.length, committed.length, "an event that was accepted is sent again")
    if (isOrdered) checkOrder(own, committed)
  }
}

/** An event is sent when those of its pet before it were accepted. */
function checkOrder(attempts: Attempt[], committed: string[]): void {
  const accepted = new Set<string>()
  const pets = new Map(attempts.map(({ name, petId }) => [name, petId]))
  for (const { name, petId, end } of attempts) {
    const before = committed.slice(0, committed.indexOf(name)).filter((other) => pets.get(other) === petId)
    for (const other of before) assert.ok(accepted.has(other), `${name} is sent before ${other} was accepted`)
    if (end === "accepted") accepted.add(name)
  }
}
