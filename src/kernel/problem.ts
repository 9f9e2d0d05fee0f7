/** One broken rule: where it is (a JSON pointer into the body, or a parameter's name) and what is wrong there. */
export type Violation = { code: string; detail: string } & ({ pointer: string } | { parameter: string })

/** What every problem of one kind has in common (RFC 9457). */
export type ProblemKind = {
  status: number
  title: string
  /** What happened and what to do about it, for the page behind the problem's `type`. */
  meaning: string
}

/** What a code means, and its title where that is not the code in words. */
type Meaning = string | Omit<ProblemKind, "status">

/** The kinds of problems with one status, by their codes. */
export const kindsOf = <Code extends string>(status: number, meanings: Record<Code, Meaning>) =>
  Object.fromEntries(
    Object.entries<Meaning>(meanings).map(([code, of]) => [
      code,
      { status, ...(typeof of === "string" ? { title: inWords(code), meaning: of } : of) },
    ]),
  ) as Record<Code, ProblemKind>

const inWords = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("-", " ")

/** What a problem may carry besides its code and detail. */
type ProblemExtras = Partial<Pick<Problem, "violations" | "retryAfter" | "members" | "headers">>

/** A failure the caller can act on: rules return it, verbs raise it. Anything else that is thrown is a bug and becomes a 500. */
export class Problem<Code extends string = string> extends Error {
  readonly code: Code
  readonly detail: string
  /** The broken rules, for a problem of the input. */
  readonly violations: readonly Violation[] = []
  /** Seconds after which the same request may succeed (`Retry-After`, RFC 9110 section 10.2.3). */
  readonly retryAfter: number | undefined = undefined
  /** Extension members that only this kind of problem has (RFC 9457 section 3.2). */
  readonly members: Readonly<Record<string, unknown>> = {}
  /** Header fields of the response, by lower-case name; an array is sent as one field for each value. */
  readonly headers: Readonly<Record<string, string | string[]>> = {}

  constructor(code: Code, detail: string, extras: ProblemExtras = {}) {
    super(`${code}: ${detail}`)
    this.code = code
    this.detail = detail
    Object.assign(this, extras)
  }

  /** The same failure, with further headers. */
  withHeaders(headers: Problem["headers"]): Problem<Code> {
    return new Problem(this.code, this.detail, { ...this, headers: { ...this.headers, ...headers } })
  }
}

/** A problem for a rule to return; given violations, they make up the detail too. */
export const problem = <Code extends string>(
  code: Code,
  detail: string | readonly Violation[],
  extras: ProblemExtras = {},
): Problem<Code> =>
  typeof detail === "string"
    ? new Problem(code, detail, extras)
    : new Problem(code, sentence(detail), { violations: detail, ...extras })

/** What violations of a body amount to; undefined when there are none. */
export const invalidBody = (violations: readonly Violation[]): Problem<"invalid-body"> | undefined =>
  violations.length > 0 ? problem("invalid-body", violations) : undefined

/** One violation in a parameter. */
export const inParameter = (parameter: string, code: string, detail: string): Violation[] => [
  { parameter, code, detail },
]

/** One violation in a body, at a JSON pointer (RFC 6901). */
export const at = (pointer: string, code: string, detail: string): Violation[] => [{ pointer, code, detail }]

/** The violations as one sentence. */
export function sentence(violations: readonly Violation[]): string {
  const [first, ...more] = violations as [Violation, ...Violation[]]
  const place = "pointer" in first ? first.pointer.slice(1).replaceAll("/", ".") || "The body" : first.parameter
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ""
  return `${place} ${first.detail}${rest}`
}
