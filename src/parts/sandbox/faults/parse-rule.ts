import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { at, type Violation } from "../../../core/kernel/problem.ts"
import type { ParsedRule, RequestFaults } from "../model.ts"
import type { FaultRule } from "./contract.ts"
import { readRuleFault } from "./read-faults.ts"
import { mayFit, readRulePath } from "./rules.ts"
import type { Failures, FaultTarget } from "./targets.ts"

type Targets = ReadonlyMap<string, FaultTarget>
/** A target with its name. */
type Target = readonly [string, FaultTarget]

/** Reads a rule, or says why nothing can match it; `publicUrl` is that of the sandbox. */
export function parseRule(
  rule: FaultRule,
  pointer: string,
  targets: Targets,
  publicUrl: string,
): ParsedRule | { violations: Violation[] } {
  const { operation, path, key, webhook, event } = rule.match ?? {}
  const violations: Violation[] = []
  const refuse = (member: string, detail: string) =>
    void violations.push(...at(pointer + member, "not-allowed", detail))
  const own = path === undefined ? undefined : readRulePath(path, publicUrl)
  const named = [...targets].filter(([name, { isOperation }]) =>
    operation === undefined ? isOperation || isBelow(own, name) : isOperation && name === operation,
  )
  if (operation !== undefined && named.length === 0)
    refuse("/match/operation", unknownOperation(operation, operationsIn(targets)))
  const reached = named.filter(([, { paths }]) => path === undefined || fitsOne(paths, own))
  if (reached.length === 0 && named.length > 0)
    refuse("/match/path", unknownPath(own, operation ? named : [...targets]))
  if (key !== undefined && reached.length > 0 && !reached.some(([, { isOperation }]) => isOperation))
    refuse("/match/key", `must not be there: requests to ${path} have no key`)
  const fault =
    rule.fault === undefined
      ? undefined
      : readRuleFault(rule.fault, allFailures(reached.length > 0 ? reached : [...targets]))
  if (fault && "refusals" in fault) for (const refusal of fault.refusals) refuse("/fault", refusal)
  const webhooks = fault && "webhooks" in fault ? fault.webhooks : undefined
  if (webhooks && [operation, path, key].some((each) => each !== undefined))
    refuse("/match", "must not name operation, path or key for a fault of webhooks")
  if (!webhooks && [webhook, event].some((each) => each !== undefined))
    refuse("/match", "must not name webhook or event for a fault of requests")
  if (violations.length > 0) return { violations }
  const requests = fault && "requests" in fault ? fault.requests : undefined
  const affected = webhooks ? [] : reached.filter(([, target]) => canHave(target, requests))
  return { rule, webhooks, requests, targets: affected.map(([name]) => name), path: own }
}

/** An endpoint of another part is meant by a path that begins as its own, not by a rule for every request. */
const isBelow = (own: string | undefined, endpoint: string): boolean =>
  own?.startsWith(endpoint.slice(0, endpoint.indexOf("/", 1) + 1)) ?? false

const operationsIn = (targets: Targets): string[] =>
  [...targets].flatMap(([name, { isOperation }]) => (isOperation ? name : []))

/** Each failure once. */
function allFailures(among: readonly Target[]): Failures {
  const refusals = among.flatMap(([, target]) => target.refusals)
  return {
    refusals: [...new Map(refusals.map((refusal) => [refusal.code, refusal])).values()],
    flaws: [...new Set(among.flatMap(([, { flaws }]) => flaws))],
  }
}

const canHave = ({ refusals, flaws }: FaultTarget, { code, flaw }: RequestFaults = {}): boolean =>
  (code === undefined || refusals.some((refusal) => refusal.code === code)) &&
  (flaw === undefined || flaws.includes(flaw))

const fitsOne = (paths: ReadonlySet<string>, own: string | undefined): boolean =>
  own !== undefined && [...paths].some((each) => mayFit(each, own))

function unknownOperation(name: string, known: Iterable<string>): string {
  const nearest = findNearest(name, known)
  return `must be the operationId of an operation${nearest ? `; did you mean ${nearest}?` : ""}`
}

function unknownPath(own: string | undefined, among: readonly Target[]): string {
  const [first, second] = among
  if (first && !second) return `must be a path of ${first[0]}, which has ${[...first[1].paths].join(" and ")}`
  const nearest = findNearest(own ?? "", new Set(among.flatMap(([, { paths }]) => [...paths])))
  return `must be a path of an operation, such as /pet/1, or its beginning${nearest ? `; did you mean ${nearest}?` : ""}`
}
