// Decision: docs/decisions/storage-postgres.md#reads-of-one-turn-of-the-event-loop-are-one-query

import { hash } from "node:crypto"
import type { Row, Statement } from "../../../core/sql/statement.ts"
import type { SendQuery } from "./client.ts"
import { postgresDialect } from "./dialect.ts"

type Value = Row[string]
type PendingRead = {
  value: Value
  /** Cheaper than a list of one. */
  alone: () => Promise<unknown>
  resolve: (row: unknown) => void
  reject: (error: unknown) => void
}

const batchMax = 500

/** Combines reads by one value each: those of one turn of the event loop are one query. */
export class BatchedReads {
  readonly #send: SendQuery
  readonly #isNamed: boolean
  #waiting = new Map<Statement<Row, unknown>, PendingRead[]>()

  constructor(send: SendQuery, isNamed: boolean) {
    this.#send = send
    this.#isNamed = isNamed
  }

  /** Whether the statement is hot and finds its row by one number. */
  takes({ isHot, names, lists }: Statement<Row, unknown>, values: Row): boolean {
    return isHot === true && names.length === 1 && lists.size === 0 && typeof values[names[0] as string] === "number"
  }

  read(statement: Statement<Row, unknown>, values: Row, alone: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#flush())
      const pending = { value: values[statement.names[0] as string] as Value, alone, resolve, reject }
      const waiting = this.#waiting.get(statement)
      if (waiting) waiting.push(pending)
      else this.#waiting.set(statement, [pending])
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const [statement, reads] of waiting)
      for (let n = 0; n < reads.length; n += batchMax) void this.#query(statement, reads.slice(n, n + batchMax))
  }

  async #query(statement: Statement<Row, unknown>, reads: PendingRead[]): Promise<void> {
    const [only, ...others] = reads
    if (only && others.length === 0) return only.alone().then(only.resolve, only.reject)
    const { name, text } = batched(statement)
    try {
      const { rows } = await this.#send({
        ...(this.#isNamed && { name }),
        text,
        values: [reads.map(({ value }) => value)],
      })
      for (const { n, ...row } of rows) reads[n - 1]?.resolve(row)
      for (const { resolve } of reads) resolve(undefined)
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }
}

const texts = new Map<Statement<Row, unknown>, { name: string; text: string }>()

/** Runs the statement's own text for each of a list of values; `n` is the position of the value. */
function batched(statement: Statement<Row, unknown>): { name: string; text: string } {
  const known = texts.get(statement)
  if (known) return known
  const each = statement.text({ ...postgresDialect, placeholder: () => "input.value" })
  const text = `
    SELECT input.n, found.* FROM unnest(CAST($1 AS BIGINT[])) WITH ORDINALITY AS input (value, n)
    CROSS JOIN LATERAL (${each}) AS found`
  const fresh = { name: `petstore_${hash("sha256", text).slice(0, 16)}`, text }
  texts.set(statement, fresh)
  return fresh
}
