/** A violated rule: its location (a JSON pointer into the body, or a parameter) and description. */
export type Violation = { code: string; detail: string } & ({ pointer: string } | { parameter: string })

/** The common fields of all problems of a kind (RFC 9457). */
export type ProblemKind = {
  status: number
  title: string
  /** What happened and what to do, for the page behind the problem's `type`. */
  meaning: string
}

/** The meaning of a code, and its title where that is not the code in words. */
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

type ProblemExtras = Partial<Pick<Problem, "violations" | "retryAfter" | "members" | "headers">>

/** A failure that the caller can act on: rules return it, verbs raise it. Any other error is a bug and becomes a 500. */
export class Problem<Code extends string = string> extends Error {
  readonly code: Code
  readonly detail: string
  /** The violated rules, for a problem of the input. */
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

/** Makes a problem for a rule to return; violations also become its detail. */
export const problem = <Code extends string>(
  code: Code,
  detail: string | readonly Violation[],
  extras: ProblemExtras = {},
): Problem<Code> =>
  typeof detail === "string"
    ? new Problem(code, detail, extras)
    : new Problem(code, sentence(detail), { violations: detail, ...extras })

/** The problem of violations in a body; undefined when there are none. */
export const invalidBody = (violations: readonly Violation[]): Problem<"invalid-body"> | undefined =>
  violations.length > 0 ? problem("invalid-body", violations) : undefined

/** One violation in a parameter. */
export const inParameter = (parameter: string, code: string, detail: string): Violation[] => [
  { parameter, code, detail },
]

/** One violation in a body, at a JSON pointer (RFC 6901). */
export const at = (pointer: string, code: string, detail: string): Violation[] => [{ pointer, code, detail }]

export function sentence(violations: readonly Violation[]): string {
  const [first, ...more] = violations as [Violation, ...Violation[]]
  const location = "pointer" in first ? first.pointer.slice(1).replaceAll("/", ".") || "The body" : first.parameter
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ""
  return `${location} ${first.detail}${rest}`
}
