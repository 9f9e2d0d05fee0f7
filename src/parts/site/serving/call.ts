import type { ApiContract } from "../../../core/domain/api.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { CallInput } from "../../../core/kernel/endpoint/call-input.ts"
import type { Endpoint, ResponseOf } from "../../../core/kernel/endpoint/endpoint.ts"
import type { ListTotal } from "../../../core/kernel/endpoint/total.ts"
import { Problem } from "../../../core/kernel/problem.ts"

/** A request for an operation, as a client sends it; `target` is path and query below the base path of the API. */
export type ApiRequest = {
  method: string
  target: string
  /** What stands before the base path at another store than the main one. */
  prefix?: string | undefined
}

export type Called<T> = {
  value: T
  request: ApiRequest
  /** For a later `ifMatch`; undefined when the operation is not conditional. */
  etag: string | undefined
  /** The `cursor` of the next page; undefined on the last. */
  next: string | undefined
  /** The number of items of the list, when the call counts them. */
  total: ListTotal | undefined
  /** Whether this is the stored response of an earlier call with the same `idempotencyKey`. */
  isReplayed: boolean
}

type CallOf<E extends Endpoint> =
  object extends CallInput<E>
    ? (request?: More<E>) => Promise<Called<ResponseOf<E>>>
    : (request: More<E>) => Promise<Called<ResponseOf<E>>>

type More<E extends Endpoint> = CallInput<E> & {
  /** The expected `ETag`. */
  ifMatch?: string | undefined
  /** Counts the items of the whole list, for operations that can. */
  counts?: true
  /** Like the header `Idempotency-Key`, for operations that support it. */
  idempotencyKey?: string | undefined
}

/**
 * The operations of the API, called as the user of the page. Each checks input and scopes and throws a Problem when it refuses.
 * The file of an upload is that of the page's request.
 */
export type Call = Calls<ApiContract>

export type Calls<Endpoints extends Record<string, Endpoint>> = { [Name in keyof Endpoints]: CallOf<Endpoints[Name]> }

/** The value of an operation's result; undefined when the operation refuses with this code. */
export const valueUnless = async <T>(code: ProblemCode, called: Promise<Called<T>>): Promise<T | undefined> =>
  (await calledUnless([code], called))?.value

/** An operation's result; undefined when the operation refuses with one of these codes. */
export async function calledUnless<T>(
  codes: readonly ProblemCode[],
  called: Promise<Called<T>>,
): Promise<Called<T> | undefined> {
  try {
    return await called
  } catch (error) {
    if (error instanceof Problem && codes.some((code) => code === error.code)) return undefined
    throw error
  }
}
