// Decision: docs/decisions/storage-sql.md#creates-that-arrive-together-share-a-transaction

import { type SharedWork, type Store, StoreUnavailable } from "../../domain/ports/store.ts"
import { theOnly } from "../../kernel/flow/the-only.ts"

const inputsAtOnce = 100
const waitingMax = 1_000

type Waiting = { input: unknown; resolve: (result: unknown) => void; reject: (error: unknown) => void }
type Work = SharedWork<unknown, unknown>
type Queue = { running: number; waiting: Waiting[] }

/** Runs work for several callers in one transaction: for those of one turn of the event loop, and those that had to wait. */
export class SharedTransactions {
  readonly #transaction: Store["transaction"]
  readonly #runningMax: number
  readonly #queues = new Map<Work, Queue>()

  /** While `runningMax` transactions of one kind of work run, its inputs wait. */
  constructor(transaction: Store["transaction"], runningMax: number) {
    this.#transaction = transaction
    this.#runningMax = runningMax
  }

  /** Throws StoreUnavailable if too many inputs wait for transactions that run. */
  async run<In, Out>(work: SharedWork<In, Out>, input: In): Promise<Out> {
    const queue = this.#queueOf(work as Work)
    if (queue.running >= this.#runningMax && queue.waiting.length >= waitingMax)
      throw new StoreUnavailable("too many transactions are waiting")
    return new Promise<unknown>((resolve, reject) => {
      if (queue.waiting.push({ input, resolve, reject }) === 1) setImmediate(() => this.#start(work as Work, queue))
    }) as Promise<Out>
  }

  #queueOf(work: Work): Queue {
    const known = this.#queues.get(work)
    if (known) return known
    const queue: Queue = { running: 0, waiting: [] }
    this.#queues.set(work, queue)
    return queue
  }

  #start(work: Work, queue: Queue): void {
    while (queue.running < this.#runningMax && queue.waiting.length > 0) {
      queue.running++
      void this.#serve(work, queue.waiting.splice(0, inputsAtOnce)).finally(() => {
        queue.running--
        this.#start(work, queue)
      })
    }
  }

  async #serve(work: Work, calls: readonly Waiting[]): Promise<void> {
    try {
      const inputs = calls.map(({ input }) => input)
      const results = await this.#transaction((tx) => work(tx, inputs))
      for (const [n, { resolve }] of calls.entries()) resolve(results[n])
    } catch (error) {
      // What is wrong with one input does not concern the others.
      if (calls.length > 1 && !(error instanceof StoreUnavailable)) await this.#serveAlone(work, calls)
      else for (const { reject } of calls) reject(error)
    }
  }

  async #serveAlone(work: Work, calls: readonly Waiting[]): Promise<void> {
    for (const { input, resolve, reject } of calls)
      await this.#transaction(async (tx) => theOnly(await work(tx, [input]))).then(resolve, reject)
  }
}
