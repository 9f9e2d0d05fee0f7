import assert from "node:assert/strict"
import { catalogue } from "../../src/api/defects/catalogue/catalogue.ts"
import type { DefectId } from "../../src/domain/sandbox/defects/contract.ts"
import type { HttpResponse } from "../../src/kernel/network/http-response.ts"
import { Problem } from "../../src/kernel/problem.ts"
import type { Exchange } from "../../src/server/exchange/exchange.ts"
import { exchangeOf } from "./exchange.ts"

type Requested = { url?: string; headers?: Record<string, string>; received?: unknown; given?: Partial<Exchange> }
export type Outcome = HttpResponse | Problem | ((exchange: Exchange, call: number) => HttpResponse | Problem)

/** A success with this JSON. */
export const ok = (value: unknown, headers: string[] = []): HttpResponse => ({
  status: 200,
  headers,
  body: JSON.stringify(value),
})
export const problem = (code: string, given: Partial<Problem> = {}) => new Problem(code, "detail", given)

/** Requests to an operation of a sandbox with a defect; the correct handling has this outcome. */
export function defective(id: DefectId, operation: string) {
  const { around, inside } = catalogue[id]
  const handle = [around, inside].flatMap((each) => each?.[operation] ?? each?.any ?? [])[0] ?? assert.fail(operation)
  const memory = new Map<string, unknown>()
  return async ({ url = "/api/v3/pet", headers = {}, received, given = {} }: Requested, outcome: Outcome) => {
    const exchange = exchangeOf(url, { headers })
    Object.assign(exchange, given)
    if (received !== undefined) exchange.received = Buffer.from(JSON.stringify(received))
    let calls = 0
    const next = async (one: Exchange) => {
      calls++
      const result = typeof outcome === "function" ? outcome(one, calls) : outcome
      if (result instanceof Error) throw result
      return result
    }
    try {
      const response = await handle(exchange, next, memory)
      const { status, headers: head, body } = response ?? assert.fail("no response")
      const shown = typeof body === "string" && /^[[{]/.test(body) ? JSON.parse(body) : body
      return { status, head, shown, exchange, calls, received: exchange.received.toString() }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { code: error.code, error, exchange, calls, received: exchange.received.toString() }
    }
  }
}

/** What a request leads to: JSON and status, or the code of the refusal. */
export const seen = async (id: DefectId, operation: string, requested: Requested, outcome: Outcome) => {
  const { shown, status, code } = await defective(id, operation)(requested, outcome)
  return code ?? (status === 200 ? shown : [status, shown])
}
