// Decision: docs/decisions/sandbox.md#a-journal-keeps-its-entries-in-columns

import type { Exchanged, JournalEntry } from "../domain/sandbox/model.ts"

/** Numbers of an entry: its time in milliseconds, its size, and its place among the entries of all journals. */
type Numbers = { at: number; bytes: number; place: number }

/** The last entries of a journal, in a column for each field; the entry with the id n is in row n modulo their number. */
export class JournalColumns {
  readonly #length: number
  readonly #at: Float64Array
  readonly #bytes: Float64Array
  readonly #place: Float64Array
  readonly #durationMs: Float64Array
  readonly #status: Float64Array
  readonly #operation: Column<"operation"> = []
  readonly #webhookId: Column<"webhookId"> = []
  readonly #method: Column<"method"> = []
  readonly #path: Column<"path"> = []
  readonly #query: Column<"query"> = []
  readonly #problem: Column<"problem"> = []
  readonly #fault: Column<"fault"> = []
  readonly #caller: Column<"caller"> = []
  readonly #requestId: Column<"requestId"> = []
  readonly #requestHeaders: Column<"requestHeaders"> = []
  readonly #responseHeaders: Column<"responseHeaders"> = []
  readonly #requestBody: Column<"requestBody"> = []
  readonly #responseBody: Column<"responseBody"> = []

  constructor(length: number) {
    this.#length = length
    this.#at = new Float64Array(length)
    this.#bytes = new Float64Array(length)
    this.#place = new Float64Array(length)
    this.#durationMs = new Float64Array(length)
    this.#status = new Float64Array(length)
  }

  put(id: number, exchanged: Exchanged, { at, bytes, place }: Numbers): void {
    const n = id % this.#length
    this.#at[n] = at
    this.#bytes[n] = bytes
    this.#place[n] = place
    this.#durationMs[n] = exchanged.durationMs
    this.#status[n] = exchanged.status
    this.#operation[n] = exchanged.operation
    this.#webhookId[n] = exchanged.webhookId
    this.#method[n] = exchanged.method
    this.#path[n] = exchanged.path
    this.#query[n] = exchanged.query
    this.#problem[n] = exchanged.problem
    this.#fault[n] = exchanged.fault
    this.#caller[n] = exchanged.caller
    this.#requestId[n] = exchanged.requestId
    this.#requestHeaders[n] = exchanged.requestHeaders
    this.#responseHeaders[n] = exchanged.responseHeaders
    this.#requestBody[n] = exchanged.requestBody
    this.#responseBody[n] = exchanged.responseBody
  }

  read(id: number): JournalEntry {
    const n = id % this.#length
    const exchanged: Exchanged = {
      durationMs: this.#durationMs[n] as number,
      status: this.#status[n] as number,
      operation: this.#operation[n],
      webhookId: this.#webhookId[n],
      method: this.#method[n] as string,
      path: this.#path[n] as string,
      query: this.#query[n] as string,
      problem: this.#problem[n],
      fault: this.#fault[n],
      caller: this.#caller[n],
      requestId: this.#requestId[n],
      requestHeaders: this.#requestHeaders[n] ?? [],
      responseHeaders: this.#responseHeaders[n] ?? [],
      requestBody: this.#requestBody[n],
      responseBody: this.#responseBody[n],
    }
    return { id, at: this.#at[n] as number, exchanged }
  }

  placeOf(id: number): number {
    return this.#place[id % this.#length] as number
  }

  /** Releases what an entry refers to. Returns its size. */
  remove(id: number): number {
    const n = id % this.#length
    this.#requestHeaders[n] = this.#responseHeaders[n] = nothing
    this.#requestBody[n] = this.#responseBody[n] = this.#caller[n] = undefined
    this.#path[n] = this.#query[n] = ""
    return this.#bytes[n] as number
  }
}

type Column<Name extends keyof Exchanged> = Exchanged[Name][]
const nothing: readonly string[] = []
