import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { at, type Violation } from "../../../core/kernel/problem.ts"
import type { ParsedRule } from "../model.ts"
import type { FaultRule } from "./contract.ts"
import { readRuleFault } from "./read-faults.ts"
import { mayFit, readRulePath } from "./rules.ts"
import type { FaultTarget } from "./targets.ts"

type Targets = ReadonlyMap<string, FaultTarget>
/** An operation with its name. */
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
  const named = operation === undefined ? [...targets] : [...targets].filter(([name]) => name === operation)
  if (operation !== undefined && named.length === 0)
    refuse("/match/operation", unknownOperation(operation, targets.keys()))
  const own = path === undefined ? undefined : readRulePath(path, publicUrl)
  const reached = named.filter(([, { paths }]) => path === undefined || fitsOne(paths, own))
  if (reached.length === 0 && named.length > 0) refuse("/match/path", unknownPath(own, named))
  const codes = [...new Set((reached.length > 0 ? reached : [...targets]).flatMap(([, target]) => target.codes))]
  const fault = rule.fault === undefined ? undefined : readRuleFault(rule.fault, codes)
  if (fault && "refusals" in fault) for (const refusal of fault.refusals) refuse("/fault", refusal)
  const webhooks = fault && "webhooks" in fault ? fault.webhooks : undefined
  if (webhooks && [operation, path, key].some((each) => each !== undefined))
    refuse("/match", "must not name operation, path or key for a fault of webhooks")
  if (!webhooks && [webhook, event].some((each) => each !== undefined))
    refuse("/match", "must not name webhook or event for a fault of requests")
  if (violations.length > 0) return { violations }
  const requests = fault && "requests" in fault ? fault.requests : undefined
  const code = requests?.code
  const affected = webhooks ? [] : reached.filter(([, target]) => code === undefined || target.codes.includes(code))
  return { rule, webhooks, requests, operations: affected.map(([name]) => name), path: own }
}

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
