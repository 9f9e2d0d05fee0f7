import type { Api } from "../../domain/api.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { CallInput } from "../../kernel/call-input.ts"
import type { Answer, Endpoint } from "../../kernel/endpoint.ts"
import { Problem } from "../../kernel/problem.ts"

/** The result of an operation. */
export type Called<T> = {
  value: T
  /** For a later `ifMatch`; undefined when the operation is not conditional. */
  etag: string | undefined
  /** The `cursor` of the next page; undefined on the last. */
  next: string | undefined
  /** Whether this is the stored response of an earlier call with the same `idempotencyKey`. */
  isReplayed: boolean
}

type CallOf<E extends Endpoint> =
  object extends CallInput<E>
    ? (given?: More<E>) => Promise<Called<Answer<E>>>
    : (given: More<E>) => Promise<Called<Answer<E>>>

type More<E extends Endpoint> = CallInput<E> & {
  /** The expected `ETag`. */
  ifMatch?: string | undefined
  /** Like the header `Idempotency-Key`, for operations that support it. */
  idempotencyKey?: string | undefined
}

/**
 * The operations of the API, called as the user of the page. Each checks input and scopes and throws a Problem when it refuses.
 * The file of an upload is that of the page's request.
 */
export type Call = { [Name in keyof Api]: CallOf<Api[Name]> }

/** The result of an operation; undefined when the operation refuses with this code. */
export async function calledUnless<T>(code: ProblemCode, called: Promise<Called<T>>): Promise<Called<T> | undefined> {
  try {
    return await called
  } catch (error) {
    if (error instanceof Problem && error.code === code) return undefined
    throw error
  }
}

/** The value of that result. */
export const valueUnless = async <T>(code: ProblemCode, called: Promise<Called<T>>): Promise<T | undefined> =>
  (await calledUnless(code, called))?.value
