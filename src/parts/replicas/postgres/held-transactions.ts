// Decision: docs/decisions/storage-postgres.md#a-transaction-that-waits-for-a-row-gives-its-connection-back

import { isLocked } from "./errors.ts"

/** How long a transaction is tried while others hold its rows, and the mean pause before it is tried again. */
const patienceMs = 5_000
const pauseMs = 100

/** The share of a process's connections for one kind of work, so that the others are free for requests. */
export const shareOf = (connections: number): number => Math.ceil(connections / 4)

/** `error` is that of its last attempt; `giveUpAt` is in ms of `performance.now()`. */
type Held = { attempt(): Promise<unknown>; reject(error: unknown): void; error?: unknown; giveUpAt: number }

/** Runs transactions, some at once, again and again while others hold their rows. Those that have not been tried go first. */
export class HeldTransactions {
  readonly #runningMax: number
  readonly #fresh: Held[] = []
  readonly #tried: Held[] = []
  #running = 0
  /** Transactions that have not ended yet. */
  count = 0

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** Gives up when `patience` (ms) is over. */
  run<T>(transaction: () => Promise<T>, patience = patienceMs): Promise<T> {
    this.count++
    const result = new Promise<T>((resolve, reject) => {
      const attempt = () => transaction().then(resolve)
      this.#fresh.push({ attempt, reject, giveUpAt: performance.now() + patience })
      this.#start()
    })
    return result.finally(() => this.count--)
  }

  #start(): void {
    while (this.#running < this.#runningMax) {
      const held = this.#fresh.shift() ?? this.#tried.shift()
      if (held === undefined) return
      this.#running++
      void this.#run(held).finally(() => {
        this.#running--
        this.#start()
      })
    }
  }

  async #run(held: Held): Promise<void> {
    if (held.error !== undefined && performance.now() > held.giveUpAt) return held.reject(held.error)
    try {
      await held.attempt()
    } catch (error) {
      if (isLocked(error) && performance.now() < held.giveUpAt)
        // Two that hold rows of each other are not tried at the same times again.
        setTimeout(() => this.#again({ ...held, error }), pauseMs * (0.5 + Math.random()))
      else held.reject(error)
    }
  }

  #again(held: Held): void {
    this.#tried.push(held)
    this.#start()
  }
}
