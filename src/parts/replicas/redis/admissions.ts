// Decision: docs/decisions/redis.md#requests-of-one-turn-of-the-event-loop-are-one-call

import type { Quota } from "../../../core/domain/limits/model.ts"
import type { Window } from "../../../core/domain/limits/rules.ts"
import { dayWindowMs, minuteMs } from "../../../core/memory/tally.ts"
import { admitScript, keysOf } from "./limit-scripts.ts"
import type { Run } from "./link.ts"

const accountsMax = 100

/** The state of an account after one of its requests; `counted` is 0 when it was refused. */
type AccountState = { now: number; counted: number; windows: [Window, Window] }

/** Requests of one account, or none to read its state. */
type Asked = { accountId: number; quota: Quota; wanted: number; callers: PromiseWithResolvers<AccountState>[] }

/** Counts requests: those of one turn of the event loop, of all accounts, in one call of Redis. */
export class Admissions {
  readonly #run: Run
  readonly #runId: string
  /** The requests by account; the account may be asked for with another quota, too. */
  #counting = new Map<number, Asked>()
  #asked: Asked[] = []

  constructor(run: Run, runId: string) {
    this.#run = run
    this.#runId = runId
  }

  /** Counts a request in both windows, or in neither when one is full. */
  count(accountId: number, quota: Quota): Promise<AccountState> {
    const known = this.#counting.get(accountId)
    if (known?.quota === quota) {
      known.wanted++
      return waitIn(known)
    }
    const asked: Asked = { accountId, quota, wanted: 1, callers: [] }
    this.#counting.set(accountId, asked)
    return this.#ask(asked)
  }

  read(accountId: number, quota: Quota): Promise<AccountState> {
    return this.#ask({ accountId, quota, wanted: 0, callers: [] })
  }

  #ask(asked: Asked): Promise<AccountState> {
    if (this.#asked.push(asked) === 1) setImmediate(() => this.#send())
    return waitIn(asked)
  }

  #send(): void {
    const asked = this.#asked
    this.#asked = []
    this.#counting = new Map()
    for (let n = 0; n < asked.length; n += accountsMax) void this.#call(asked.slice(n, n + accountsMax))
  }

  async #call(asked: readonly Asked[]): Promise<void> {
    const keys = asked.flatMap(({ accountId }) => {
      const { moments, cells, mine } = keysOf(accountId, this.#runId)
      return [moments, cells, mine]
    })
    const values = asked.flatMap(({ quota, wanted }) => [quota.minute, quota.day, wanted])
    try {
      const [, now, ...states] = await this.#run(admitScript, keys, values)
      for (const [n, one] of asked.entries())
        settle(one, now as number, states.slice(n * stateLength, (n + 1) * stateLength) as State)
    } catch (error) {
      for (const { callers } of asked) for (const { reject } of callers) reject(error)
    }
  }
}

function waitIn({ callers }: Asked): Promise<AccountState> {
  const caller = Promise.withResolvers<AccountState>()
  callers.push(caller)
  return caller.promise
}

const stateLength = 8
type State = [number, number, number, number, number, number, number, number]

/** The first requests are those admitted; each sees the state after it. */
function settle({ quota, callers, wanted }: Asked, now: number, state: State): void {
  const [admitted, counted, inMinute, firstMoment, nextMoment, inDay, firstCell, nextCell] = state
  for (const [n, { resolve }] of callers.entries()) {
    const later = Math.max(0, admitted - 1 - n)
    resolve({
      now,
      counted: n < admitted && wanted > 0 ? counted - later : 0,
      windows: [
        windowOf("minute", quota, inMinute - later, firstMoment + minuteMs, nextMoment + minuteMs),
        windowOf("day", quota, inDay - later, cellLeavesAt(firstCell), cellLeavesAt(nextCell)),
      ],
    })
  }
}

/** Callers only use `leavesAt` for the oldest request and for the one that makes space. */
const windowOf = (policy: Window["policy"], quota: Quota, used: number, first: number, next: number): Window => ({
  policy,
  quota: quota[policy],
  used,
  leavesAt: (n) => (n === 1 ? first : next),
})

const cellLeavesAt = (minute: number): number => (minute + 1) * minuteMs + dayWindowMs
