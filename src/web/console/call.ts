import type { Api } from "../../domain/api.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { CallInput } from "../../kernel/call-input.ts"
import type { Answer, Endpoint } from "../../kernel/endpoint.ts"
import { Problem } from "../../kernel/problem.ts"

/** What an operation responded with. */
export type Called<T> = {
  value: T
  /** For a later `ifMatch`; undefined when the operation is not conditional. */
  etag: string | undefined
  /** The `cursor` of the next page; undefined on the last. */
  next: string | undefined
  /** Whether it was done before, under the same `idempotencyKey`, and this is what was responded then. */
  isReplayed: boolean
}

type CallOf<E extends Endpoint> =
  object extends CallInput<E>
    ? (given?: More<E>) => Promise<Called<Answer<E>>>
    : (given: More<E>) => Promise<Called<Answer<E>>>

type More<E extends Endpoint> = CallInput<E> & {
  /** The entity tag the thing must still have. */
  ifMatch?: string | undefined
  /** Done once only, as with the header `Idempotency-Key`, by operations that honour it. */
  idempotencyKey?: string | undefined
}

/**
 * The operations of the service, run as whoever looks at the page: each checks its input and the scopes, and throws a Problem
 * when it refuses. The file of an upload is the one the page was sent.
 */
export type Call = { [Name in keyof Api]: CallOf<Api[Name]> }

/** What an operation responds with; undefined when it refuses with this code. */
export async function valueUnless<T>(code: ProblemCode, called: Promise<Called<T>>): Promise<T | undefined> {
  try {
    return (await called).value
  } catch (error) {
    if (error instanceof Problem && error.code === code) return undefined
    throw error
  }
}
