// Decision: docs/decisions/storage-sql.md#creates-that-arrive-together-share-a-transaction

import { RowsUnavailable, type SharedWork, type Store, StoreUnavailable } from "../domain/ports/store.ts"
import { Distribution, type Metric } from "../kernel/measure.ts"

const inputsAtOnce = 100
const waitingMax = 1_000
/** A transaction that runs for longer keeps no others waiting, unless too many do. */
const longMs = 50
const longMax = 3
/** Transactions into which one with an error is divided. */
const partsMax = 10
/** Upper bounds for the number of inputs of a transaction. */
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, inputsAtOnce]

type Call = { work: Work; input: unknown; resolve: (result: unknown) => void; reject: (error: unknown) => void }
type Work = SharedWork<unknown, unknown>
/** The transactions of one kind of work that run, those of them that do not run for long yet, and the calls that wait for one. */
type Queue = { running: number; young: number; waiting: Call[] }

/** How a transaction runs: that of all inputs, one of some of them after an error of that, and one of a single input. */
type Stage = "common" | "divided" | "alone"
type Transactions = Record<Stage, Store["transaction"]> & Bounds
type Bounds = {
  /** Common transactions of one kind of work that run at once, besides those that run for long. */
  commonMax: number
}

/** Runs work for several callers in one transaction: for those of one turn of the event loop, and those that had to wait. */
export class SharedTransactions {
  readonly #transactions: Transactions
  readonly #queues = new Map<Work, Queue>()
  #divided = 0
  readonly #sizes = new Distribution(sizeBounds)

  /** Without other ones, all transactions run like common ones. */
  constructor(transactions: Pick<Transactions, "common"> & Partial<Transactions> & Bounds) {
    const { common } = transactions
    this.#transactions = { divided: common, alone: common, ...transactions }
  }

  /** Throws StoreUnavailable if too many inputs wait. */
  async run<In, Out>(work: SharedWork<In, Out>, input: In): Promise<Out> {
    const queue = this.#queueOf(work as Work)
    if (queue.waiting.length + this.#divided >= waitingMax && !this.#hasFree(queue))
      throw new StoreUnavailable("too many transactions are waiting")
    return new Promise<unknown>((resolve, reject) => {
      const call = { work: work as Work, input, resolve, reject }
      if (queue.waiting.push(call) === 1) setImmediate(() => this.#start(queue))
    }) as Promise<Out>
  }

  /** Inputs that wait for a common transaction. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  get metrics(): readonly Metric[] {
    return [
      {
        name: "petstore_database_transaction_inputs",
        help: "Creates that share a transaction, before one that fails is divided",
        type: "histogram",
        labels: [],
        read: () => [{ labels: {}, distribution: this.#sizes }],
      },
    ]
  }

  #queueOf(work: Work): Queue {
    const known = this.#queues.get(work)
    if (known) return known
    const queue: Queue = { running: 0, young: 0, waiting: [] }
    this.#queues.set(work, queue)
    return queue
  }

  #hasFree({ running, young }: Queue): boolean {
    const { commonMax } = this.#transactions
    return young < commonMax && running < commonMax + longMax
  }

  #start(queue: Queue): void {
    while (this.#hasFree(queue) && queue.waiting.length > 0) {
      const end = this.#begin(queue)
      void this.#serve(queue.waiting.splice(0, inputsAtOnce)).finally(() => {
        end()
        this.#start(queue)
      })
    }
  }

  /** Counts a transaction; returns what to call at its end. */
  #begin(queue: Queue): () => void {
    queue.running++
    queue.young++
    let isYoung = true
    const age = () => {
      if (isYoung) queue.young--
      isYoung = false
    }
    const canDelay = this.#transactions.commonMax < Number.POSITIVE_INFINITY
    const startMore = () => {
      age()
      this.#start(queue)
    }
    const timer = canDelay ? setTimeout(startMore, longMs) : undefined
    return () => {
      clearTimeout(timer)
      age()
      queue.running--
    }
  }

  async #serve(calls: readonly Call[], stage: Stage = "common"): Promise<void> {
    const [{ work }] = calls as [Call]
    if (stage === "common") this.#sizes.add(calls.length)
    try {
      const inputs = calls.map(({ input }) => input)
      const results = await this.#transactions[stage]((tx) => work(tx, inputs))
      for (const [n, { resolve }] of calls.entries()) resolve(results[n])
    } catch (error) {
      const isOfInput = error instanceof RowsUnavailable || (calls.length > 1 && !(error instanceof StoreUnavailable))
      if (isOfInput && stage !== "alone") this.#divide(calls)
      else for (const { reject } of calls) reject(error)
    }
  }

  /** What is wrong with one input does not concern the others: they run in smaller transactions, and then each alone. */
  #divide(calls: readonly Call[]): void {
    const size = Math.ceil(calls.length / partsMax)
    for (let n = 0; n < calls.length; n += size) {
      const part = calls.slice(n, n + size)
      this.#divided += part.length
      void this.#serve(part, size === 1 ? "alone" : "divided").finally(() => {
        this.#divided -= part.length
      })
    }
  }
}
