/** One broken rule: where it is (a JSON pointer into the body, or a parameter's name) and what is wrong there. */
export type Violation = { code: string; detail: string } & ({ pointer: string } | { parameter: string })

/** What every problem of one kind has in common (RFC 9457). */
export type ProblemKind = {
  status: number
  title: string
  /** What happened and what to do about it, for the page behind the problem's `type`. */
  meaning: string
}

/** A failure the caller can act on. Anything else that is thrown is a bug and becomes a 500. */
export class Problem<Code extends string = string> extends Error {
  readonly code: Code
  readonly detail: string
  readonly violations: readonly Violation[]
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** Members only this kind of problem has (RFC 9457 section 3.2). */
  readonly members: Readonly<Record<string, unknown>>
  /** Headers of the response, such as `Allow` of a 405. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: Code,
    detail: string,
    more: {
      violations?: readonly Violation[]
      retryAfter?: number
      members?: Readonly<Record<string, unknown>>
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(`${code}: ${detail}`)
    this.code = code
    this.detail = detail
    this.violations = more.violations ?? []
    this.retryAfter = more.retryAfter
    this.members = more.members ?? {}
    this.headers = more.headers ?? {}
  }

  /** The same failure, with further headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Problem<Code> {
    const { violations, retryAfter, members } = this
    const more = { violations, members, headers: { ...this.headers, ...headers } }
    return new Problem(this.code, this.detail, retryAfter === undefined ? more : { ...more, retryAfter })
  }
}

/** How a pure rule says no. */
export class Refusal<Code extends string> {
  readonly code: Code
  readonly detail: string
  /** Seconds after which the answer may be another. */
  readonly retryAfter: number | undefined

  constructor(code: Code, detail: string, retryAfter?: number) {
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

export const refusal = <Code extends string>(code: Code, detail: string, retryAfter?: number): Refusal<Code> =>
  new Refusal(code, detail, retryAfter)

/** One violation in a body, at a JSON pointer (RFC 6901). */
export const at = (pointer: string, code: string, detail: string): Violation[] => [{ pointer, code, detail }]

/** The violations as one sentence. */
export function sentence(violations: readonly Violation[]): string {
  const [first, ...more] = violations as [Violation, ...Violation[]]
  const place = "pointer" in first ? first.pointer.slice(1).replaceAll("/", ".") || "The body" : first.parameter
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ""
  return `${place} ${first.detail}${rest}`
}
