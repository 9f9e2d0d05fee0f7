// Decision: docs/decisions/redis.md#replicas-remember-what-the-others-admitted

import type { Cell } from "../../../core/domain/limits/store.ts"
import { keepNewest } from "../../../core/memory/keep-newest.ts"
import { Tally } from "../../../core/memory/tally.ts"

/** Requests of an account that a replica admitted: the account, their number, and the moment of the last of them. */
type Admitted = readonly [accountId: number, count: number, at: number]

type Message = { from: string; dataId: string | undefined; admitted: readonly Admitted[] }

/** What a process admitted for one account in the last day, newest first. */
export type ProcessTotal = { runId: string; accountId: number; cells: Cell[] }

const accountsMax = { unannounced: 5_000, known: 20_000 }

/** What replicas tell each other that they admitted in the last day, so that a Redis without data can learn it from any of them. */
export class PeerCounts {
  readonly #runId: string
  readonly #unannounced = new Map<number, { count: number; at: number }>()
  readonly #known = new Map<string, { runId: string; accountId: number; tally: Tally; latest: number }>()
  #dataId: string | undefined

  constructor(runId: string) {
    this.#runId = runId
  }

  /** Counts from now on are in this data of Redis. */
  useData(id: string): void {
    this.#dataId = id
  }

  /** Records a request that this process admitted. */
  note(accountId: number, at: number): void {
    const { count } = this.#unannounced.get(accountId) ?? { count: 0 }
    keepNewest(this.#unannounced, accountId, { count: count + 1, at }, accountsMax.unannounced)
  }

  /** The message that tells the others what this process admitted since the last one; undefined when that is nothing. */
  takeMessage(): string | undefined {
    if (this.#unannounced.size === 0) return undefined
    const admitted = [...this.#unannounced].map(([accountId, { count, at }]): Admitted => [accountId, count, at])
    this.#unannounced.clear()
    return JSON.stringify({ from: this.#runId, dataId: this.#dataId, admitted } satisfies Message)
  }

  /**
   * Adds a message of another replica. One about other data is ignored: this replica may still have to restore that, and Redis would
   * count the requests twice.
   */
  receive(message: string): void {
    const { from, dataId, admitted } = read(message)
    if (from === this.#runId || dataId !== this.#dataId) return
    for (const [accountId, count, at] of admitted) this.#add(from, accountId, count, at)
  }

  /** Everything that the others admitted in the last day. */
  all(): ProcessTotal[] {
    return [...this.#known.values()].map(({ runId, accountId, tally }) => ({
      runId,
      accountId,
      cells: tally.cells(accountId),
    }))
  }

  #add(runId: string, accountId: number, count: number, at: number): void {
    const key = `${runId} ${accountId}`
    const { tally, latest } = this.#known.get(key) ?? { tally: new Tally(), latest: at }
    const moment = Math.max(latest, at)
    tally.forget(moment)
    for (let n = 0; n < count; n++) tally.add(moment)
    keepNewest(this.#known, key, { runId, accountId, tally, latest: moment }, accountsMax.known)
  }
}

/** Anybody can publish on the channel of a Redis: what is no message is one of no requests. */
function read(message: string): Message {
  try {
    const { from, dataId, admitted } = JSON.parse(message) as Message
    if (admitted.flat().every(Number.isFinite)) return { from, dataId, admitted }
  } catch {}
  return { from: "", dataId: "", admitted: [] }
}
