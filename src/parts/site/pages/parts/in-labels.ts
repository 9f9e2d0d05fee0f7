import { Problem, sentence, type Violation } from "../../../../core/kernel/problem.ts"

/** The label of what a person fills in, by the name of the member or parameter; undefined for what the page does not show. */
export type LabelOf = (name: string) => string | undefined

/** The name of the parameter, or of the outermost member, that a violation is in. */
export const memberOf = (violation: Violation): string => locationOf(violation)[0]

const locationOf = (violation: Violation): [string, ...string[]] =>
  "pointer" in violation ? (violation.pointer.slice(1).split("/") as [string, ...string[]]) : [violation.parameter]

/** The same problem for a person: a violation is of the label, with the number of the item in a list, instead of the member. */
export function inLabels<Code extends string>(problem: Problem<Code>, labelOf: LabelOf): Problem<Code> {
  const { code, detail, ...extras } = problem
  const [first, ...more] = problem.violations
  if (!first || detail !== sentence(problem.violations)) return problem
  const [name, item = ""] = locationOf(first)
  const label = labelOf(name)
  if (label === undefined) return problem
  const parameter = /^\d+$/.test(item) ? `${label} (${Number(item) + 1})` : label
  return new Problem(code, sentence([{ parameter, code: first.code, detail: first.detail }, ...more]), extras)
}
