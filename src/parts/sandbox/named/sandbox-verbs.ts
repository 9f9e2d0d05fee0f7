import type { VerbOf } from "../../../core/domain/context.ts"
import { timeIn } from "../../../core/kernel/clock.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import { created, JsonResponse } from "../../../core/kernel/endpoint/json-response.ts"
import { filledPath } from "../../../core/kernel/network/path.ts"
import { at, inParameter, type Problem, problem, type Violation } from "../../../core/kernel/problem.ts"
import type { RestoredFile, SandboxPlan, VisibleSandboxes } from "../model.ts"
import { idleBounds, type MsBounds, startBounds } from "./bounds.ts"
import type { NewSandbox, namedSandboxes, Sandbox } from "./contract.ts"
import { fileOf } from "./receive-file.ts"
import { wholeText } from "./send-file.ts"

type NamedSandboxVerbs = { [Name in keyof typeof namedSandboxes]: VerbOf<(typeof namedSandboxes)[Name]> }

/** The operations on the named sandboxes that a store's callers may see. */
export function namedSandboxVerbs(visible: VisibleSandboxes): NamedSandboxVerbs {
  return {
    listSandboxes: () => visible.list(),

    async createSandbox(ctx, { body, query }) {
      const made = ctx.accept(await makeSandbox(visible, { ...query, body, file: fileOf(query) }, ctx.address))
      return created(made, sandboxPathOf(made.name))
    },

    getSandbox: (ctx, { params: { name } }) =>
      visible.list().find((one) => one.name === name) ?? ctx.refuse("sandbox-not-found", absent(name)),

    async exportSandbox(ctx, { params: { name } }) {
      const file = (await visible.save(name)) ?? ctx.refuse("sandbox-not-found", absent(name))
      return new JsonResponse((await wholeText(file)) ?? ctx.refuse("sandbox-too-large"))
    },

    async diffSandbox(ctx, { params: { name }, query }) {
      const found =
        (await visible.compare(name, query)) ??
        ctx.refuse("invalid-parameter", inParameter("with", "missing", "is required: it was made from a file"))
      return "absent" in found ? ctx.refuse("sandbox-not-found", absent(found.absent)) : found
    },

    deleteSandbox(ctx, { params: { name } }) {
      if (!visible.remove(name)) ctx.refuse("sandbox-not-found", absent(name))
      return { code: 200, type: "success", message: `The sandbox ${name} is deleted` }
    },
  }
}

const absent = (name: string): string => `There is no sandbox ${name}`

type Wanted = { name?: string; body: NewSandbox; file: RestoredFile | undefined }

/** Makes what a body says, with the name beside it, and what the sandbox file in it was restored to. */
export async function makeSandbox(
  { create }: VisibleSandboxes,
  { name: nameBeside, body, file }: Wanted,
  address: string,
): Promise<Sandbox | Problem<"forbidden" | "invalid-body" | "sandbox-exists" | "sandbox-not-found">> {
  if (!create) return problem("forbidden", "A sandbox is created at the service, not inside another one")
  const name = nameBeside ?? body.name
  const violations = [
    ...(name === undefined ? at("/name", "missing", "is missing, also in the query") : []),
    ...(body.name !== undefined && body.name !== name ? at("/name", "wrong-form", "is not that in the query") : []),
    ...violationsOf(body),
  ]
  if (violations.length > 0) return problem("invalid-body", violations)
  const made = await create(planOf(name as string, body, file), address)
  if (made === "exists") return problem("sandbox-exists", `There is already a sandbox ${name}`)
  return made === "no source" ? problem("sandbox-not-found", absent(body.from as string)) : made
}

/** The path of a sandbox as a resource, below the base path. */
export const sandboxPathOf = (name: string): string => filledPath("/sandboxes/{name}", { name })

const planOf = (
  name: string,
  { seed, from, data, idle, start, freeze }: NewSandbox,
  file: RestoredFile | undefined,
): SandboxPlan => ({
  name,
  // The data of the first start have the time of the service.
  seed: seed ?? (from === undefined && (start !== undefined || freeze) ? "initial" : undefined),
  from,
  file: data && file && { ...data, ...file },
  start: { at: start === undefined ? undefined : timeIn(start), isFrozen: freeze === true },
  idleMs: idle === undefined ? undefined : durationMs(idle),
})

function violationsOf({ seed, from, idle, start, freeze, data }: NewSandbox): Violation[] {
  const isCopy = from !== undefined
  const besideData = { seed, from, start, freeze }
  const { time, steady, start: first } = data?.clock ?? {}
  return [
    ...Object.entries(data ? besideData : {}).flatMap(([member, value]) =>
      value === undefined ? [] : at(`/${member}`, "wrong-form", "must be absent: the data have it"),
    ),
    ...[time, steady, first ?? undefined].flatMap((ms) =>
      ms === undefined ? [] : outside("/data/clock", ms, startBounds),
    ),
    ...(isCopy && seed !== undefined ? at("/seed", "wrong-form", "must be absent where from names a source") : []),
    ...(isCopy && start !== undefined
      ? at("/start", "wrong-form", "must be absent: a copy has the time of its source")
      : []),
    ...(idle === undefined ? [] : outside("/idle", durationMs(idle), idleBounds)),
    ...(start === undefined ? [] : outside("/start", timeIn(start), startBounds)),
  ]
}

const outside = (pointer: string, ms: number, { min, max, requirement }: MsBounds): Violation[] =>
  ms >= min && ms <= max ? [] : at(pointer, ms < min ? "too-small" : "too-large", requirement)
