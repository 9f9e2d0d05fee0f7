import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { problemsOf } from "../openapi/problem-responses.ts"
import { v2Operations } from "../v2/endpoints.ts"

/** What a fault rule can affect: an operation, by its problems and its paths, such as `/pet/{petId}`. */
export type FaultTarget = { codes: readonly ProblemCode[]; paths: ReadonlySet<string> }

/** The operations that fault rules can affect, by name. Those of the sandbox itself are not among them. */
export function faultTargets(api: Record<string, Endpoint>, hasV2: boolean): ReadonlyMap<string, FaultTarget> {
  const classic = Map.groupBy(hasV2 ? v2Operations(api) : [], ({ name }): string => name)
  return new Map(
    Object.entries(api).map(([name, endpoint]) => {
      const paths = new Set([endpoint.path, ...(classic.get(name) ?? []).map((each) => each.endpoint.path)])
      return [name, { codes: problemsOf(endpoint as Endpoint<Scope, ProblemCode>), paths }]
    }),
  )
}
