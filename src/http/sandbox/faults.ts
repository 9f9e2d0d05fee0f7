import type { VerbOf } from "../../domain/context.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { sandbox } from "../../domain/sandbox/contract.ts"
import type { FaultRule } from "../../domain/sandbox/faults/contract.ts"
import type { FaultRules, ParsedRule } from "../../domain/sandbox/model.ts"
import { findNearest } from "../../kernel/did-you-mean.ts"
import { at, type Violation } from "../../kernel/problem.ts"
import { readRuleFault } from "../faults/read-faults.ts"

/** The operations on the fault rules of a sandbox; `codes` are the problems of each operation that they can affect. */
export function faultVerbs(rules: FaultRules, codes: ReadonlyMap<string, readonly ProblemCode[]>) {
  const every = [...new Set([...codes.values()].flat())]
  const read = () => ({ rules: rules.read().map(({ rule, count }) => ({ ...rule, count })) })

  const setFaults: VerbOf<typeof sandbox.setFaults> = (ctx, { body }) => {
    const parsed = body.rules.map((rule, n) => parse(rule, `/rules/${n}`))
    const violations = parsed.flatMap((each) => ("violations" in each ? each.violations : []))
    if (violations.length > 0) return ctx.refuse("invalid-body", violations)
    rules.replace(parsed as ParsedRule[])
    return read()
  }

  function parse(rule: FaultRule, pointer: string): ParsedRule | { violations: Violation[] } {
    const { operation, path, key, webhook, event } = rule.match ?? {}
    const violations: Violation[] = []
    const refuse = (member: string, detail: string) =>
      void violations.push(...at(pointer + member, "not-allowed", detail))
    const own = operation === undefined ? every : codes.get(operation)
    if (!own) refuse("/match/operation", unknownOperation(operation as string, codes.keys()))
    const fault = rule.fault === undefined ? undefined : readRuleFault(rule.fault, own ?? every)
    if (fault && "refusals" in fault) for (const refusal of fault.refusals) refuse("/fault", refusal)
    const webhooks = fault && "webhooks" in fault ? fault.webhooks : undefined
    if (webhooks && [operation, path, key].some((each) => each !== undefined))
      refuse("/match", "must not name operation, path or key for a fault of webhooks")
    if (!webhooks && [webhook, event].some((each) => each !== undefined))
      refuse("/match", "must not name webhook or event for a fault of requests")
    if (violations.length > 0) return { violations }
    return { rule, webhooks, requests: fault && "requests" in fault ? fault.requests : undefined }
  }

  const getFaults: VerbOf<typeof sandbox.getFaults> = read

  const deleteFaults: VerbOf<typeof sandbox.deleteFaults> = () => {
    rules.replace([])
    return { code: 200, type: "success", message: "The fault rules have ended" }
  }

  return { getFaults, setFaults, deleteFaults }
}

function unknownOperation(name: string, known: Iterable<string>): string {
  const nearest = findNearest(name, known)
  return `must be the operationId of an operation${nearest ? `; did you mean ${nearest}?` : ""}`
}
