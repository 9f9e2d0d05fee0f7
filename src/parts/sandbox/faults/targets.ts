import type { PartEndpoint } from "../../../core/api/operations/part-endpoint.ts"
import { problemsOf } from "../../../core/api/problems/problem-responses.ts"
import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { mayBeRepeated } from "./make-problem.ts"

/** How a request can be refused: the code of a problem, or an error of another protocol. */
export type PossibleRefusal = { code: string; status: number; hasRetryAfter: boolean }

/** What can go wrong with a request besides its connection. */
export type Failures = {
  refusals: readonly PossibleRefusal[]
  /** How what it issues can be wrong. */
  flaws: readonly string[]
}

/** What a fault rule can affect, by its paths, such as `/pet/{petId}`: an operation, or an endpoint of another part. */
export type FaultTarget = Failures & { paths: ReadonlySet<string>; isOperation: boolean }

/** Paths that operations have besides that of their endpoint, by the name of the operation. */
export type FurtherPaths = ReadonlyMap<string, readonly string[]>

/** What fault rules can affect: operations by name, but for those of the sandbox itself, and endpoints by path. */
export const faultTargets = (
  api: Record<string, Endpoint>,
  further: FurtherPaths,
  endpoints: readonly PartEndpoint[],
): ReadonlyMap<string, FaultTarget> =>
  new Map([
    ...Object.entries(api).map(([name, endpoint]): [string, FaultTarget] => [
      name,
      { ...failuresOf(endpoint), paths: new Set([endpoint.path, ...(further.get(name) ?? [])]), isOperation: true },
    ]),
    ...endpoints.map((endpoint): [string, FaultTarget] => [
      endpoint.path,
      { ...failuresOfEndpoint(endpoint), paths: new Set([endpoint.path]), isOperation: false },
    ]),
  ])

export const failuresOf = (endpoint: Endpoint): Failures => ({
  refusals: refusalsOf(problemsOf(endpoint as Endpoint<Scope, ProblemCode>)),
  flaws: [],
})

export const failuresOfEndpoint = ({ errors, flaws }: PartEndpoint): Failures => ({
  refusals: Object.entries(errors).map(([code, status]) => ({
    code,
    status,
    hasRetryAfter: [429, 503].includes(status),
  })),
  flaws,
})

export const refusalsOf = (codes: readonly ProblemCode[]): PossibleRefusal[] =>
  codes.map((code) => ({ code, status: problems[code].status, hasRetryAfter: mayBeRepeated(code) }))
