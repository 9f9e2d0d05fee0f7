import type { VerbOf } from "../../domain/context.ts"
import type { sandbox } from "../../domain/sandbox/contract.ts"
import type { FaultRules, ParsedRule } from "../../domain/sandbox/model.ts"
import { parseRule } from "../faults/parse-rule.ts"
import type { FaultTarget } from "../faults/targets.ts"

/** The operations on the fault rules of a sandbox; `targets` are the operations that they can affect. */
export function faultVerbs(rules: FaultRules, targets: ReadonlyMap<string, FaultTarget>) {
  const read = () => ({ rules: rules.read().map(({ rule, count }) => ({ ...rule, count })) })

  const setFaults: VerbOf<typeof sandbox.setFaults> = (ctx, { body }) => {
    const parsed = body.rules.map((rule, n) => parseRule(rule, `/rules/${n}`, targets, ctx.publicUrl()))
    const violations = parsed.flatMap((each) => ("violations" in each ? each.violations : []))
    if (violations.length > 0) return ctx.refuse("invalid-body", violations)
    rules.replace(parsed as ParsedRule[])
    return read()
  }

  const getFaults: VerbOf<typeof sandbox.getFaults> = read

  const deleteFaults: VerbOf<typeof sandbox.deleteFaults> = () => {
    rules.replace([])
    return { code: 200, type: "success", message: "The fault rules have ended" }
  }

  return { getFaults, setFaults, deleteFaults }
}
