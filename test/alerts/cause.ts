import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { firing, measuredIn, type Scrape, withoutPromtool } from "../harness/prometheus.ts"

/** A service that Prometheus scrapes. */
type Watched = AsyncDisposable & {
  /** Scrapes what is measured now. */
  look(): Promise<Scrape>
  /** Two scrapes while nothing was wrong, with requests between them. */
  healthy: readonly Scrape[]
}

/** What goes wrong, and the alerts that fire then: in at least one of the courses of scrapes that `make` returns. */
export type Cause<Service> = {
  when: string
  fires: readonly string[]
  make(service: Service): Promise<readonly (readonly Scrape[])[]>
  skip?: string | false
}

type Suite<Service> = {
  what: string
  open(): Promise<Service>
  causes: readonly Cause<Service>[]
  skip?: string | false
}

/** Alerts that the machine on which the tests run may fire, because it is busy or its disk nearly full. */
const ofMachine = ["PetstoreSlow", "PetstoreEventLoopLate", "PetstoreDiskLow", "PetstoreDiskSlow"]

/** Tests of the alerts of one service; returns the names of those that fire. */
export function fireAlerts<Service extends Watched>({ what, open, causes, skip }: Suite<Service>): string[] {
  describe(what, { concurrency: 1, skip: withoutPromtool || skip || false }, () => {
    let service: Service | undefined
    const watched = () => service as Service
    before(async () => {
      service = await open()
    })
    after(() => service?.[Symbol.asyncDispose]())

    test("no alert fires while nothing is wrong", async (t) => {
      const fired = await firing([watched().healthy])
      if (fired.length > 0 && fired.every((alert) => ofMachine.includes(alert)))
        t.skip(`NOT TESTED: this machine fires ${fired.join(" and ")}`)
      else assert.deepEqual(fired, [])
    })

    for (const { when, fires, make, skip = false } of causes)
      test(`${fires.join(", ")} ${fires.length > 1 ? "fire" : "fires"} when ${when}`, { skip }, async () => {
        const courses = await make(watched())
        const fired = await firing(courses.map((scrapes) => [...watched().healthy, ...scrapes]))
        assert.deepEqual(
          fires.filter((alert) => !fired.includes(alert)),
          [],
          `only these fire: ${fired.join()}`,
        )
      })
  })
  return causes.flatMap(({ fires }) => fires)
}

const triesMax = 5

/** Scrapes a service before and after some requests; again if an alert fires, because a busy machine makes any service slow. */
export async function observe(look: Watched["look"], useIt: () => Promise<unknown>): Promise<readonly Scrape[]> {
  for (let n = 1; ; n++) {
    const begin = await look()
    await useIt()
    const scrapes = [begin, await look()]
    if (n === triesMax || (await firing([scrapes])).length === 0) return scrapes
  }
}

const patienceMs = 30_000
const pauseMs = 50

/** The first scrape in which the sum of a metric is as expected. */
export async function lookUntil(
  { look }: Pick<Watched, "look">,
  metric: string,
  isExpected: (value: number) => boolean,
): Promise<Scrape> {
  const since = performance.now()
  for (;;) {
    const scrape = await look()
    const value = measuredIn(scrape, metric)
    if (isExpected(value)) return scrape
    if (performance.now() - since > patienceMs) assert.fail(`${metric} is ${value}`)
    await sleep(pauseMs)
  }
}
