// Runs in a process of its own.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { reportEffort } from "../harness/report-effort.ts"
import { anyFatesOfRedis, noFates, type RedisFates } from "../simulation/fates.ts"
import { SimulatedRedis } from "../simulation/redis.ts"
import { minuteMs } from "../simulation/redis-calls.ts"
import { accounts, ReplicasOnRedis, replicas, type Step, seen } from "../simulation/redis-replicas.ts"
import { type Schedule, simulate } from "../simulation/simulate.ts"

/** What happens in the calm after a round. */
const ends = ["a minute passes", "Redis loses its data", "Redis loses its data and a replica ends"] as const
type Round = {
  clients: { replica: number; steps: Step[] }[]
  /** Milliseconds that pass, in turn. */
  passing: number[]
  fates: RedisFates
  end: (typeof ends)[number]
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("request", "request", "request", "try", "try", "replace key"),
  account: fc.constantFrom(...accounts),
})
const usual = {
  clients: fc.array(
    fc.record({ replica: fc.nat(replicas - 1), steps: fc.array(step, { minLength: 1, maxLength: 5 }) }),
    { minLength: 1, maxLength: 5 },
  ),
  passing: fc.array(fc.constantFrom(1, 50, 200), { maxLength: 20 }),
  fates: fc.constant(noFates()),
  end: fc.constantFrom(...ends),
}
const round: fc.Arbitrary<Round> = fc.oneof(
  { weight: 1, arbitrary: fc.record(usual) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...usual,
      passing: fc.array(fc.constantFrom(1, 50, 200, 600, 1_100, 5_000), { maxLength: 20 }),
      fates: anyFatesOfRedis,
    }),
  },
)
const rounds = fc.array(round, { minLength: 2, maxLength: 3 })

/** Each takes a tenth of a second of processor time. */
const runs = 40

test("in any order of requests, lost replies, outages and losses of data: what was admitted counts once, no window admits more than is promised, and no revoked key is accepted after 5 s", async (t) =>
  reportEffort(t, {
    ...(await simulate(rounds, runRounds, runs)),
    "admitted by Redis": seen.byRedis,
    "admitted without it": seen.byReplica,
    "losses of data": seen.losses,
    "replicas ended": seen.ended,
    "old keys accepted": seen.oldKeys,
  }))

test("a seed has one order of events", async () => {
  const repeat = async () => {
    const events: string[] = []
    const { seed } = await simulate(rounds, (input, schedule) => runRounds(input, noting(schedule, events)), 3, 65)
    return { seed, events }
  }
  const first = await repeat()
  assert.ok(first.events.length > 100)
  assert.deepEqual(await repeat(), first)
})

test("the simulation meets requests that Redis and replicas admit and refuse, losses of data, and ends of replicas", () => {
  if (process.env.SIMULATION) return
  assert.ok(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  )
})

/** The order of turns is noted in `events`. */
const noting = (schedule: Schedule, events: string[]): Schedule => ({
  ...schedule,
  async turn(label) {
    await schedule.turn(label)
    events.push(label)
  },
})

async function runRounds(rounds: Round[], schedule: Schedule): Promise<void> {
  using server = new SimulatedRedis(schedule)
  await using world = new ReplicasOnRedis(server, schedule)
  await world.open()
  for (const { clients, passing, fates, end } of rounds) {
    await world.work(clients, passing, fates)
    if (end === "Redis loses its data and a replica ends") world.endOne()
    if (end.startsWith("Redis loses")) server.restart()
    if (end === "a minute passes") schedule.pass(minuteMs)
    await world.rest()
  }
}
