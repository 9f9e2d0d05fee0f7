import type { Handle } from "../../../core/api/operations/steps.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { Handling, Memory } from "../handling.ts"
import type { DefectId, DefectMeans } from "./contract.ts"

export type Defect = {
  /** Its code in the catalogue of Web Fuzzing Commons, where there is one. */
  code?: number
  wrong: string
  /** The rule that it breaks. */
  breaks: string
  /** How to see it: the arguments of curl, where `$URL` is the address of the sandbox. */
  see: string
  /** One of these is needed to see it. */
  seenWith?: readonly DefectMeans[]
  /** The operations that it affects, with all that concerns a request: credentials, limits, refusals. Absent for a defect of webhooks. */
  around?: Handlings
  /** The operations that it affects after they are admitted and their body is read. */
  inside?: Handlings
}

/** A change by operation; `any` is for all operations without their own. */
type Handlings = Readonly<Record<string, Handling>>

export type Defects<Ids extends DefectId> = Readonly<Record<Ids, Defect>>

/** A credential for which everything is allowed, as an argument of curl. */
export const key = "-H 'api_key: special-key'"

/** The same change of several operations. */
export const on = (operations: readonly string[], change: Handling): Handlings =>
  Object.fromEntries(operations.map((operation) => [operation, change]))

type Body = Record<string, unknown>

/** Changes the JSON of a success. */
export const changeJson =
  <T = Body>(change: (value: T, exchange: Exchange<Caller>, memory: Memory) => unknown): Handling =>
  async (exchange, next, memory) => {
    const response = await next(exchange)
    if (!response || response.status >= 300 || typeof response.body !== "string" || exchange.isXml) return response
    return { ...response, body: JSON.stringify(change(JSON.parse(response.body), exchange, memory)) }
  }

/** Changes a success. */
export const changeResponse =
  (change: (response: HttpResponse, exchange: Exchange<Caller>) => HttpResponse): Handling =>
  async (exchange, next) => {
    const response = await next(exchange)
    return response && response.status < 300 ? change(response, exchange) : response
  }

/** Handles a refusal in another way. */
export const onProblem =
  (
    codes: readonly string[],
    handle: (exchange: Exchange<Caller>, next: Handle, refusal: Problem, memory: Memory) => ReturnType<Handling>,
  ): Handling =>
  async (exchange, next, memory) => {
    try {
      return await next(exchange)
    } catch (error) {
      if (error instanceof Problem && codes.includes(error.code)) return handle(exchange, next, error, memory)
      throw error
    }
  }

/** Changes the JSON that the operation receives. */
export function changeReceived(exchange: Exchange, change: (body: Body) => unknown): void {
  const body = receivedBody(exchange)
  if (body) exchange.received = Buffer.from(JSON.stringify(change(body)))
}

/** The JSON object that the operation receives; undefined for anything else. */
export function receivedBody({ received }: Exchange): Body | undefined {
  try {
    const body: unknown = JSON.parse(received.toString())
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Body) : undefined
  } catch {
    return undefined
  }
}

/** A bug. */
export function crash(): never {
  throw new Problem("internal-error", "Something went wrong")
}
