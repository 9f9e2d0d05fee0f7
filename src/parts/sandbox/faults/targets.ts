import { problemsOf } from "../../../core/api/problems/problem-responses.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"

/** What a fault rule can affect: an operation, by its problems and its paths, such as `/pet/{petId}`. */
export type FaultTarget = { codes: readonly ProblemCode[]; paths: ReadonlySet<string> }

/** Paths that operations have besides that of their endpoint, by the name of the operation. */
export type FurtherPaths = ReadonlyMap<string, readonly string[]>

/** The operations that fault rules can affect, by name. Those of the sandbox itself are not among them. */
export const faultTargets = (api: Record<string, Endpoint>, further: FurtherPaths): ReadonlyMap<string, FaultTarget> =>
  new Map(
    Object.entries(api).map(([name, endpoint]) => {
      const paths = new Set([endpoint.path, ...(further.get(name) ?? [])])
      return [name, { codes: problemsOf(endpoint as Endpoint<Scope, ProblemCode>), paths }]
    }),
  )
