import fc from "fast-check"
import pino from "pino"
import { type Database, OutcomeUnknown, StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import type { Outcome } from "../../src/core/domain/webhooks/deliveries/model.ts"
import { waitsMs } from "../../src/core/domain/webhooks/deliveries/rules.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { createDeliveryWorker } from "../../src/core/workers/delivery/worker.ts"
import { manualClock } from "../harness/clock.ts"
import { type Attempt, type Change, checkDeliveries, type Recorded } from "./delivered.ts"
import { never, type Process, Suspension, storeOf } from "./process.ts"
import type { Schedule } from "./simulate.ts"

type Response = "accepts" | "fails" | "is slow"

type Scenario = {
  /** Whether each webhook is ordered. */
  webhooks: boolean[]
  /** Changes of one client, one after the other: of which pet, and whether the change is refused after all. */
  clients: { petId: number; isRefused: boolean }[][]
  workers: number
  /** After how many turns a process is killed, and another one starts. */
  kills: number[]
  /** After how many turns a process is suspended, until the leases of its claims have ended. */
  stops: number[]
  /** With which attempt its process is suspended, and what its receiver does meanwhile. */
  stopped: { attempt: number; response: Response } | undefined
  /** What receivers do, in turn; later they accept. */
  responses: Response[]
  /** Whether a commit fails to wake its worker, in turn; later all wake it. */
  isUnnoticed: boolean[]
  /** Milliseconds that pass now and then. */
  passing: number[]
}

/** Several clients, each with at least so many changes. */
export const anyClients = (changesMin: number): fc.Arbitrary<Scenario["clients"]> =>
  fc.array(
    fc.array(
      fc.record({
        petId: fc.integer({ min: 1, max: 3 }),
        isRefused: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      }),
      { minLength: changesMin, maxLength: changesMin + 4 },
    ),
    { minLength: 1, maxLength: 3 },
  )

export const anyDeliveries: { [Name in keyof Scenario]: fc.Arbitrary<Scenario[Name]> } = {
  webhooks: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  clients: anyClients(1),
  workers: fc.integer({ min: 1, max: 3 }),
  kills: fc.array(fc.integer({ min: 5, max: 80 }), { maxLength: 2 }),
  stops: fc.array(fc.integer({ min: 5, max: 80 }), { maxLength: 1 }),
  stopped: fc.option(
    fc.record({
      attempt: fc.integer({ min: 1, max: 6 }),
      response: fc.constantFrom("accepts" as const, "fails" as const, "fails" as const),
    }),
    { nil: undefined, freq: 9 },
  ),
  // Fewer than the attempts of a delivery, after which it is given up.
  responses: fc.array(fc.constantFrom("accepts" as const, "fails" as const, "is slow" as const), {
    maxLength: waitsMs.length,
  }),
  isUnnoticed: fc.array(fc.boolean(), { maxLength: 10 }),
  passing: fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 10 }),
}

/** A database for several processes. */
export type Storage = {
  /** Opens it for a process, whose connections end when it is killed. */
  open(killed: AbortSignal): Promise<Database>
  /** From now on it fails. */
  start(): void
  /** From now on nothing fails. */
  recover(): void
  /** Milliseconds that pass, one after the other, while it fails, and until failures have no effect any more. */
  failing: readonly number[]
  recovery: readonly number[]
}

/** A receiver's time for a response. */
const attemptMs = 15_000

/** Runs the scenario until everything must have arrived, and checks that it did. Returns what happened. */
export async function runDeliveries(input: Scenario, schedule: Schedule, storage: Storage): Promise<Recorded> {
  const world = worldOf(schedule, input)
  const count = input.workers + input.kills.length
  const processes = await Promise.all(Array.from({ length: count }, () => world.open(storage)))
  await using ending = new AsyncDisposableStack()
  ending.defer(async () => {
    for (const { life } of processes) life.abort()
    await schedule.run()
  })
  const [{ database }] = processes.slice(-1) as [Process]
  await addWebhooks(database, input.webhooks)
  storage.start()
  for (const process of processes.slice(0, input.workers)) world.startWorker(process)
  for (const [n, changes] of input.clients.entries())
    void world.change(processes[n % input.workers] as Process, changes)
  void world.letPass(input.passing)
  for (const [n, turns] of input.stops.entries()) {
    await schedule.run(turns)
    processes[input.workers - 1 - n]?.suspension.start(world.now())
  }
  for (const [n, turns] of input.kills.entries()) {
    await schedule.run(turns)
    processes[n]?.life.abort()
    world.startWorker(processes[n + input.workers] as Process)
  }
  await schedule.run()

  for (const ms of storage.failing) await world.pass(ms)
  storage.recover()
  world.stopNoMore()
  for (const ms of storage.recovery) await world.pass(ms)
  for (const { suspension } of processes) suspension.end()
  for (const ms of [0, 1000, 1000]) await world.pass(ms)
  const { recorded } = world
  // Unless an attempt failed, everything has arrived now.
  const isRetried = recorded.attempts.some(({ end }) => end === "failed")
  if (isRetried) for (const ms of waitsMs.flatMap((ms) => [ms, 1000, 1000])) await world.pass(ms)
  await Promise.all([checkDeliveries(recorded, database, input.webhooks), schedule.run()])
  return recorded
}

function worldOf(schedule: Schedule, { responses, isUnnoticed, stopped }: Scenario) {
  const clock = manualClock()
  const recorded: Recorded = { attempts: [], changes: new Map(), lost: [], contradictions: [], unnoticed: 0 }
  const { attempts, changes, lost, contradictions } = recorded
  let mayStop = true

  /** What the process could not do. */
  function readLog(line: string, { signal }: AbortController): void {
    const { err, delivery } = JSON.parse(line) as { err: { type: string }; delivery?: number }
    if (signal.aborted) return
    if (!/Unavailable|OutcomeUnknown/.test(err.type)) contradictions.push(line)
    if (delivery !== undefined) lost.push(delivery)
  }

  async function receive(name: string): Promise<"accepted" | "failed"> {
    const response = responses.shift() ?? "accepts"
    for (let turns = response === "is slow" ? 4 : 1; turns > 0; turns--) await schedule.turn(`response to ${name}`)
    return response === "fails" ? "failed" : "accepted"
  }

  async function post({ life: { signal }, suspension }: Process, url: string, body: string): Promise<Outcome> {
    if (signal.aborted) return never()
    const { name } = JSON.parse(body).data as { name: string }
    const isSame = (one: Attempt) => one.url === url && one.name === name
    if (attempts.some((one) => isSame(one) && one.end === undefined && !one.killed.aborted))
      contradictions.push(`${name} is sent to ${url} twice at once`)
    // What a suspended process was about to send counts as sent before.
    const at = (suspension.ended && suspension.at) ?? clock.now()
    const attempt: Attempt = { url, name, at, killed: signal, suspension }
    attempts.push(attempt)
    if (mayStop && stopped?.attempt === attempts.length) {
      suspension.start(at)
      responses.unshift(stopped.response)
    }
    const tooLate = new Promise<"failed">((resolve) => setTimeout(resolve, attemptMs, "failed"))
    const end = await Promise.race([receive(name), tooLate])
    if (!signal.aborted) attempt.end = end
    const [status, error] = end === "failed" ? [500, "status" as const] : [200, undefined]
    return { at, durationMs: clock.now() - at, status, error, response: "", retryAfterMs: undefined }
  }

  return {
    recorded,
    now: () => clock.now(),
    /** From now on no attempt stops its process. */
    stopNoMore(): void {
      mayStop = false
    },
    async open(storage: Storage): Promise<Process> {
      const [life, suspension] = [new AbortController(), new Suspension()]
      const database = await storage.open(life.signal)
      const isNoticed = () => {
        const isLost = isUnnoticed.shift() ?? false
        if (isLost) recorded.unnoticed++
        return !isLost
      }
      return { life, suspension, database, store: storeOf({ life, suspension, database }, schedule, isNoticed) }
    },
    startWorker: (process: Process) =>
      createDeliveryWorker(
        {
          store: process.store,
          clock,
          realClock: clock,
          random: () => 0.5,
          log: pino({ level: "error" }, { write: (line) => readLog(line, process.life) }),
          sealing: { seal: (text) => text, open: (text) => text },
        },
        { post: ({ url, body }) => post(process, url, body), close: async () => {} },
      ).start(),
    async change({ store }: Process, wanted: Scenario["clients"][number]): Promise<void> {
      for (const { petId, isRefused } of wanted) {
        const name = `change ${changes.size}`
        const change: Change = { petId, outcome: "unknown" }
        changes.set(name, change)
        await schedule.turn(name)
        try {
          await store.transaction(async (tx) => {
            await tx.events.add("pet.created", { id: petId, name, status: "available" }, clock.now())
            await schedule.turn(`${name} is written`)
            if (isRefused) throw new Error("refused")
          })
          change.outcome = "committed"
        } catch (error) {
          if (!(error instanceof OutcomeUnknown)) change.outcome = "refused"
          const isExpected = error instanceof StoreUnavailable || String(error) === "Error: refused"
          if (!isExpected) contradictions.push(`${name}: ${error}`)
        }
      }
    },
    async letPass(passing: number[]): Promise<void> {
      for (const ms of passing) {
        await schedule.turn("time")
        clock.advance(ms)
        schedule.pass(ms)
      }
    },
    /** A time in which timers only poll. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms)
      schedule.pass(Math.min(ms, 2000))
      await schedule.run()
    },
  }
}

const addWebhooks = (database: Database, ordered: readonly boolean[]) =>
  database.transaction(async (tx) => {
    const { id } = await tx.accounts.add({ name: "a", plan: "free" })
    for (const [n, one] of ordered.entries()) {
      const draft = { url: `https://receiver-${n}.example/`, events: ["pet.created" as const], ordered: one }
      await tx.webhooks.add(newWebhook(draft, id, 0), "whsec_AAAA")
    }
  })
