import { isDeepStrictEqual } from "node:util"
import { timeIn } from "../../../core/kernel/clock.ts"
import { Problem, problem } from "../../../core/kernel/problem.ts"
import type { Visit } from "../../console/pages/page.ts"
import type { FaultRule } from "../faults/contract.ts"
import { changeUnchanged } from "../faults/tagged.ts"
import { clockOf, inSandbox } from "../pages/sandbox-home.ts"

export type RuleInForce = FaultRule & { count: number }

type ReadRules = { rules: RuleInForce[]; etag: string | undefined; now: number }

/** The rules of the sandbox of a page, and its time. */
export async function readRules(visit: Visit): Promise<ReadRules> {
  const { getFaults } = await inSandbox(visit)
  const [{ value, etag }, clock] = await Promise.all([getFaults(), clockOf(visit)])
  return { rules: value.rules, etag, now: timeIn(clock.time) }
}

/** Changes the rules and those that others set meanwhile; those that stay continue with their counts. */
export const changeRules = (
  visit: Visit,
  change: (rules: readonly RuleInForce[], now: number) => FaultRule[],
): Promise<void> =>
  changeUnchanged(async () => {
    const { rules, etag: ifMatch, now } = await readRules(visit)
    await (await inSandbox(visit)).setFaults({ body: { rules: change(rules, now) }, ifMatch })
  })

/** The rule with this number, counted from 1. Throws the 404 where there is none. */
export function requireRule(rules: readonly RuleInForce[], number: number): RuleInForce {
  const rule = rules[number - 1]
  if (!rule) throw new Problem("not-found", `There is no fault rule ${number}`)
  return rule
}

/** What a form says of the rule that it is about. */
export const ruleFields = (rule: FaultRule, index: number) => ({
  number: index + 1,
  rule: JSON.stringify(withoutCount(rule)),
})

/** The index of the rule that a form is about. Refuses when it was changed or removed since the form was shown. */
export function findRule(rules: readonly FaultRule[], form: URLSearchParams): number {
  const index = Number(form.get("number")) - 1
  const isIt = (rule: FaultRule | undefined) =>
    rule !== undefined && isDeepStrictEqual(withoutCount(rule), parseRule(form.get("rule") ?? ""))
  const found = isIt(rules[index]) ? index : rules.findIndex(isIt)
  if (found < 0)
    throw problem("invalid-parameter", "The rule was changed or removed meanwhile. Nothing was changed now")
  return found
}

export const withoutCount = ({ count: _, ...rule }: FaultRule) => rule

function parseRule(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
