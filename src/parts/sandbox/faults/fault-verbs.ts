import type { VerbOf } from "../../../core/domain/context.ts"
import { webhooksMax } from "../../../core/domain/webhooks/contract.ts"
import type { StoredWebhook } from "../../../core/domain/webhooks/model.ts"
import { at } from "../../../core/kernel/problem.ts"
import type { sandbox } from "../contract.ts"
import type { FaultRules, ParsedRule } from "../model.ts"
import { parseRule } from "./parse-rule.ts"
import { requireUnchanged, tagged } from "./tagged.ts"
import type { FaultTarget } from "./targets.ts"

/** `targets` are the operations that the rules can affect. */
export function faultVerbs(rules: FaultRules, targets: ReadonlyMap<string, FaultTarget>) {
  const read = () => ({ rules: rules.read().map(({ rule, count }) => ({ ...rule, count })) })

  const setFaults: VerbOf<typeof sandbox.setFaults> = async (ctx, { body }) => {
    const parsed = body.rules.map((rule, n) => parseRule(rule, `/rules/${n}`, targets, ctx.publicUrl()))
    const violations = parsed.flatMap((each) => ("violations" in each ? each.violations : []))
    if (violations.length > 0) return ctx.refuse("invalid-body", violations)
    const accepted = parsed as ParsedRule[]
    const { items } = await ctx.store.webhooks.list(ctx.caller.account.id, { limit: webhooksMax, before: undefined })
    const impossible = accepted.flatMap((rule, n) => refuseOrdered(rule, `/rules/${n}/match`, items))
    if (impossible.length > 0) return ctx.refuse("invalid-body", impossible)
    requireUnchanged(ctx, read())
    rules.replace(accepted)
    return tagged(read())
  }

  const getFaults: VerbOf<typeof sandbox.getFaults> = () => tagged(read())

  const deleteFaults: VerbOf<typeof sandbox.deleteFaults> = (ctx) => {
    requireUnchanged(ctx, read())
    rules.replace([])
    return { code: 200, type: "success", message: "The fault rules have ended" }
  }

  return { getFaults, setFaults, deleteFaults }
}

/** An ordered webhook gets the messages of a pet one after the other, so none of them can be sent after the next one. */
function refuseOrdered({ rule, webhooks: fault }: ParsedRule, pointer: string, webhooks: readonly StoredWebhook[]) {
  if (fault?.kind !== "reordered") return []
  const { webhook, event } = rule.match ?? {}
  const receives = ({ events }: StoredWebhook) => event === undefined || events.includes("*") || events.includes(event)
  const ordered = webhooks.find((one) => one.ordered && one.id === (webhook ?? one.id) && receives(one))
  const detail = `must not include webhook ${ordered?.id}, which is ordered: its messages cannot be reordered. Name another webhook`
  return ordered ? at(pointer, "not-allowed", detail) : []
}
