import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { attemptsConformance } from "../conformance/attempts/suite.ts"
import { limiterConformance } from "../conformance/limiter/suite.ts"
import { signalsConformance } from "../conformance/signals/suite.ts"
import { manualClock } from "../harness/clock.ts"
import { unlessThorough } from "../harness/effort.ts"
import { missingValkey, startRedis, startValkey, withoutRedis } from "../harness/redis.ts"

describe("Redis", { skip: withoutRedis }, async () => {
  if (!withoutRedis) conform("Redis", await startRedis())
})

const missing = unlessThorough || (await missingValkey())
describe("Valkey", { skip: missing }, async () => {
  if (!missing) conform("Valkey", await startValkey())
})

function conform(name: string, redis: Awaited<ReturnType<typeof startRedis>>): void {
  const opened = new Set<{ close(): Promise<void> }>()
  after(async () => {
    for (const one of opened) await one.close()
    await redis[Symbol.asyncDispose]()
  })

  // Counting without the server would pass the suites as well.
  const absences: unknown[] = []
  async function open(now: () => number) {
    const one = await openRedis(redis.url, {
      clock: { now },
      now,
      liveReplicas: () => 1,
      reportOutage: (reason) => void absences.push(reason),
      timeoutMs: 10_000,
    })
    opened.add(one)
    return one
  }

  let accounts = 0
  limiterConformance(name, async () => {
    const clock = manualClock()
    let counters = await open(clock.now)
    return {
      get limiter() {
        return counters.limiter
      },
      now: clock.now,
      advance: clock.advance,
      freshAccount: () => ++accounts,
      async reopen() {
        await counters.close()
        opened.delete(counters)
        counters = await open(clock.now)
      },
    }
  })

  let kinds = 0
  attemptsConformance(name, async () => {
    const clock = manualClock()
    const { attempts } = await open(clock.now)
    return { attempts: attempts(`kind ${++kinds}`), advance: clock.advance }
  })

  signalsConformance(name, async () => (await open(Date.now)).signals)

  test(`${name} was available throughout, and holds the counts`, async () => {
    assert.deepEqual(absences, [])
    assert.ok((await redis.client.dbsize()) > accounts)
  })
}
