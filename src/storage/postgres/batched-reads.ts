import { hash } from "node:crypto"
import type { Row, Statement } from "../sql/statement.ts"
import type { Send } from "./client.ts"
import { postgresDialect } from "./dialect.ts"

type Value = Row[string]
type Asked = {
  value: Value
  /** Cheaper than a list of one. */
  alone: () => Promise<unknown>
  resolve: (row: unknown) => void
  reject: (error: unknown) => void
}

const batchMax = 500

/** Combines reads by one value each: those of one turn of the event loop are one query. */
export class BatchedReads {
  readonly #send: Send
  readonly #isNamed: boolean
  #waiting = new Map<Statement<Row, unknown>, Asked[]>()

  constructor(send: Send, isNamed: boolean) {
    this.#send = send
    this.#isNamed = isNamed
  }

  /** Whether the statement is hot and finds its row by one number. */
  takes({ isHot, names, lists }: Statement<Row, unknown>, values: Row): boolean {
    return isHot === true && names.length === 1 && lists.size === 0 && typeof values[names[0] as string] === "number"
  }

  ask(statement: Statement<Row, unknown>, values: Row, alone: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#flush())
      const asked = { value: values[statement.names[0] as string] as Value, alone, resolve, reject }
      const waiting = this.#waiting.get(statement)
      if (waiting) waiting.push(asked)
      else this.#waiting.set(statement, [asked])
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const [statement, asked] of waiting)
      for (let n = 0; n < asked.length; n += batchMax) void this.#answer(statement, asked.slice(n, n + batchMax))
  }

  async #answer(statement: Statement<Row, unknown>, asked: Asked[]): Promise<void> {
    const [only, ...others] = asked
    if (only && others.length === 0) return only.alone().then(only.resolve, only.reject)
    const { name, text } = batched(statement)
    try {
      const { rows } = await this.#send({
        ...(this.#isNamed && { name }),
        text,
        values: [asked.map(({ value }) => value)],
      })
      for (const { n, ...row } of rows) asked[n - 1]?.resolve(row)
      for (const { resolve } of asked) resolve(undefined)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

const texts = new Map<Statement<Row, unknown>, { name: string; text: string }>()

/** Runs the statement's own text for each of a list of values; `n` is the position of the value. */
function batched(statement: Statement<Row, unknown>): { name: string; text: string } {
  const known = texts.get(statement)
  if (known) return known
  const each = statement.text({ ...postgresDialect, placeholder: () => "asked.value" })
  const text = `
    SELECT asked.n, found.* FROM unnest(CAST($1 AS BIGINT[])) WITH ORDINALITY AS asked (value, n)
    CROSS JOIN LATERAL (${each}) AS found`
  const fresh = { name: `petstore_${hash("sha256", text).slice(0, 16)}`, text }
  texts.set(statement, fresh)
  return fresh
}
