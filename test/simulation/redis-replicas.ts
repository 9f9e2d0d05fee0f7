import assert from "node:assert/strict"
import { createPrincipalCache, type Principal } from "../../src/core/api/authentication/principal-cache.ts"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import type { Attempts } from "../../src/core/kernel/flow/attempts.ts"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { principalOf } from "../harness/principal.ts"
import type { RedisFates } from "./fates.ts"
import type { SimulatedRedis } from "./redis.ts"
import { type Call, captureKnowledge, checkMinutes, minuteMs, type ReplicaState, rangesOf } from "./redis-calls.ts"
import type { Schedule } from "./simulate.ts"

/** What a client does at a replica: sends requests with the key of the account, tries passwords, or replaces the key. */
export type Step = { what: "request" | "try" | "replace key"; account: number }

export const replicas = 3
/** One account is soon at its limits, the other never. */
const quotas = new Map([
  [1, { minute: 6, day: 8 }],
  [2, { minute: 300, day: 900 }],
])
export const accounts = [...quotas.keys()]
const triesMax = 6
const atOnce = 3
/** What one replica admits without Redis. */
const share = (max: number): number => Math.floor(max / replicas)
const keptMs = 5_000

export const seen = { byRedis: 0, byReplica: 0, refused: 0, losses: 0, ended: 0, restoredOfEnded: 0, oldKeys: 0 }

type Replica = ReplicaState & {
  host: string
  shared: Awaited<ReturnType<typeof openRedis>>
  attempts: Attempts
  findKey: ReturnType<typeof createPrincipalCache>
}

/** Replicas on one Redis, what clients do there, and what must be true of what these see. */
export class ReplicasOnRedis {
  readonly #server: SimulatedRedis
  readonly #schedule: Schedule
  readonly #replicas: Replica[] = []
  readonly #requests: Call[] = []
  readonly #tries: Call[] = []
  readonly #keys = new Map(accounts.map((account) => [account, principalOf(account)]))
  readonly #replaced = new Map<Principal, { at: number; atMs: number; by: Replica }>()
  readonly #contradictions: unknown[] = []
  #pending = 0
  #moment = 0
  /** Whether a replica was without Redis in this round. */
  #wasAway = false

  constructor(server: SimulatedRedis, schedule: Schedule) {
    this.#server = server
    this.#schedule = schedule
  }

  async open(): Promise<void> {
    for (let n = 0; n < replicas; n++) {
      const host = `replica-${n}`
      const reportOutage = () => {
        replica.epoch++
        replica.changed = ++this.#moment
        this.#wasAway = true
      }
      const options = { clock: steadyClock, liveReplicas: () => replicas, reportOutage }
      const shared = await openRedis(`redis://${host}`, options)
      const [attempts, findKey] = [shared.attempts("passwords"), createPrincipalCache(shared.signals, steadyClock)]
      const state = { epoch: 0, changed: 0, repliedIn: 0, isEnded: false }
      const replica: Replica = { host, shared, attempts, findKey, ...state }
      this.#replicas.push(replica)
    }
  }

  /** Clients, each with its steps at a replica, while time passes and Redis fails; then all is calm, and what must be true is checked. */
  async work(clients: readonly { replica: number; steps: readonly Step[] }[], passing: number[], fates: RedisFates) {
    const before = this.#moment
    this.#wasAway = false
    this.#server.start(fates)
    for (const { replica, steps } of clients) void this.#serve(this.#replicas[replica] as Replica, steps)
    void this.#letPass(passing)
    await this.#schedule.run()
    this.#server.calm()
    await this.rest()
    if (this.#wasAway || this.#server.hasFailed) return
    for (const call of this.#requests) call.isHeard ||= call.start > before
  }

  /** Until every replica has Redis, and has told it and the others everything. */
  async rest(): Promise<void> {
    const isAway = () => this.#live().some(({ shared }) => shared.isAway())
    for (let n = 0; n < 8 || (isAway() && n < 100); n++) {
      this.#schedule.pass(500)
      await this.#schedule.run()
    }
    assert.ok(!isAway(), "Redis is not used again")
    await this.#check()
  }

  /** Ends a replica without a farewell, unless it is the last one. */
  endOne(): void {
    const [replica, other] = this.#live()
    if (!replica || !other) return
    replica.isEnded = true
    this.#server.kill(replica.host)
    seen.ended++
  }

  /** Closes everything, because a timer that is cleared after the run would be one of the next run. */
  async [Symbol.asyncDispose](): Promise<void> {
    seen.losses += this.#server.losses.length
    this.#server.calm()
    for (const { host } of this.#replicas) this.#server.kill(host)
    await this.#schedule.run()
    for (const { shared } of this.#replicas) await shared.close()
    this.#schedule.pass(1)
    await this.#schedule.run()
  }

  async #check(): Promise<void> {
    assert.equal(this.#pending, 0, "a client has no response")
    for (const [account, { minute }] of quotas) {
      const requests = this.#requests.filter((call) => call.account === account)
      checkMinutes(requests, minute, share(minute), this.#server.losses)
      for (const replica of this.#live()) await this.#checkCounts(account, replica)
    }
    checkMinutes(this.#tries, triesMax, share(triesMax), this.#server.losses)
    await this.#checkSignals()
    assert.deepEqual(this.#contradictions, [])
  }

  async #checkCounts(account: number, replica: Replica): Promise<void> {
    const { ofEnded, ...expected } = rangesOf(this.#requests, account, performance.now())
    const hasLost = this.#server.losses.length > 0
    // What others restore has the moments of their messages, which come later.
    if (hasLost) expected.minute.max = expected.day.max
    for (const { policy, used } of await replica.shared.limiter.usage(account, quotaOf(account))) {
      const { min, max } = expected[policy]
      assert.ok(used >= min && used <= max, `account ${account} used ${used} in a ${policy}, not ${min} to ${max}`)
    }
    replica.repliedIn = replica.epoch
    if (hasLost) seen.restoredOfEnded += ofEnded
  }

  /** Nothing fails, so that each replica receives the signal at once. */
  async #checkSignals(): Promise<void> {
    const [first, ...others] = this.#live()
    for (const replica of others) await this.#useKey(1, replica)
    if (first) await this.#replaceKey(1, first)
    await this.#schedule.run()
    for (const replica of others) assert.ok(await this.#useKey(1, replica), "a revoked key is accepted")
  }

  /** Does one step after the other at a replica. */
  async #serve(replica: Replica, steps: readonly Step[]): Promise<void> {
    for (const { what, account } of steps) {
      this.#pending++
      await this.#schedule.turn(`${what} of account ${account} at ${replica.host}`)
      if (!replica.isEnded) await this.#do(what, account, replica).catch((error) => this.#contradictions.push(error))
      this.#pending--
    }
  }

  async #do(what: Step["what"], account: number, replica: Replica): Promise<void> {
    if (what === "replace key") return this.#replaceKey(account, replica)
    if (what === "request") await this.#useKey(account, replica)
    const call = what === "try" ? this.#try : this.#request
    await Promise.all(Array.from({ length: atOnce }, () => call(account, replica)))
  }

  /** Until every client has its responses. */
  async #letPass(passing: number[]): Promise<void> {
    do {
      await this.#schedule.turn("time")
      this.#schedule.pass(passing.shift() ?? 100)
    } while (this.#pending > 0)
  }

  #request = async (account: number, replica: Replica): Promise<void> => {
    const quota = quotaOf(account)
    const check = captureKnowledge(replica, this.#replicas, this.#moment)
    const call = await this.#call(this.#requests, account, replica, async () => {
      const { full } = await replica.shared.limiter.admit(account, quota)
      return full === undefined
    })
    if (!call.isAdmitted) seen.refused++
    else seen[call.by === "Redis" ? "byRedis" : "byReplica"]++
    if (call.by === "Redis") replica.repliedIn = call.epoch
    if (call.by === "Redis" && call.isAdmitted) check(call, this.#requests, quota)
  }

  #try = async (account: number, replica: Replica): Promise<void> => {
    const tried = [{ name: "password", max: triesMax }]
    const admit = async () => (await replica.attempts.admit(tried, minuteMs)) === undefined
    await this.#call(this.#tries, account, replica, admit)
  }

  async #call(calls: Call[], account: number, replica: Replica, admit: () => Promise<boolean>): Promise<Call> {
    const { epoch } = replica
    const [start, startMs] = [++this.#moment, performance.now()]
    const isAdmitted = await admit()
    const by = replica.epoch !== epoch ? "either" : epoch % 2 === 0 ? "Redis" : "replica"
    const [end, endMs] = [++this.#moment, performance.now()]
    const call: Call = { account, replica, epoch, start, startMs, end, endMs, isAdmitted, by, isHeard: false }
    calls.push(call)
    return call
  }

  /** Whether the replica finds the present key. One that was replaced is refused there at once, and elsewhere after 5 s. */
  async #useKey(account: number, replica: Replica): Promise<boolean> {
    const [start, startMs] = [++this.#moment, performance.now()]
    const found = await replica.findKey("key", `key ${account}`, replica, async () => this.#keys.get(account))
    const replaced = found && this.#replaced.get(found)
    if (!replaced) return true
    seen.oldKeys++
    const keptForMs = startMs - replaced.atMs
    if (keptForMs >= keptMs || (replaced.by === replica && replaced.at < start))
      this.#contradictions.push(`a key is accepted ${keptForMs} ms after it was replaced`)
    return false
  }

  async #replaceKey(account: number, replica: Replica): Promise<void> {
    const old = this.#keys.get(account) as Principal
    this.#keys.set(account, principalOf(account))
    const announced = replica.shared.signals.announce({ kind: "credentials-changed", accountId: account })
    this.#replaced.set(old, { at: ++this.#moment, atMs: performance.now(), by: replica })
    await announced
  }

  #live = (): Replica[] => this.#replicas.filter(({ isEnded }) => !isEnded)
}

const quotaOf = (account: number) => quotas.get(account) as { minute: number; day: number }
