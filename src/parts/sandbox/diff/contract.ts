import type { Static } from "typebox"
import { Id, object } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { SandboxName, seeds } from "../seeds/contract.ts"

/** What is compared, in this order. */
export const comparedKinds = ["pet", "order", "user", "webhook", "key"] as const
export type ComparedKind = (typeof comparedKinds)[number]

/** Maximum number of changes in a response. */
const changesMax = 1000

const AnyValue = (description: string) => Type.Unsafe<unknown>({ description })

const MemberChange = object("MemberChange", {
  pointer: Type.String({
    description: "JSON Pointer (RFC 6901) to the member; both values are absent for `/password` and `/secret`",
    examples: ["/category/name"],
  }),
  before: Type.Optional(AnyValue("Its value in the other sandbox; absent where it has none")),
  after: Type.Optional(AnyValue("Its value in this one")),
})
export type MemberChange = Static<typeof MemberChange>

const SandboxChange = object("SandboxChange", {
  kind: Type.Enum([...comparedKinds]),
  id: Id,
  change: Type.Enum(["added", "removed", "changed"]),
  value: Type.Optional(AnyValue("What was added or removed, as the API shows it")),
  members: Type.Optional(Type.Array(MemberChange, { description: "The members that differ, of what was changed" })),
})
export type SandboxChange = Static<typeof SandboxChange>

const count = Type.Integer({ minimum: 0 })
const ChangeCounts = object("ChangeCounts", { added: count, removed: count, changed: count })
export type ChangeCounts = Static<typeof ChangeCounts>

export const SandboxDiff = object("SandboxDiff", {
  name: Type.String(),
  with: Type.Optional(Type.String({ description: "The sandbox with which it was compared" })),
  seed: Type.Optional(Type.Enum([...seeds], { description: "The data with which it was compared, if no sandbox" })),
  counts: object(
    "CountsOfChanges",
    { pet: ChangeCounts, order: ChangeCounts, user: ChangeCounts, webhook: ChangeCounts, key: ChangeCounts },
    { description: "Of all changes, by kind" },
  ),
  changes: Type.Array(SandboxChange, { maxItems: changesMax, description: "In the order of kinds and ids" }),
  isComplete: Type.Boolean({ description: "Whether `changes` has all of them" }),
})
export type SandboxDiff = Static<typeof SandboxDiff>

export const diffQuery = Type.Object({
  with: Type.Optional(
    SandboxName("The other sandbox; by default that of which it is a copy, or a new one with the same seed"),
  ),
  limit: Type.Integer({ minimum: 0, maximum: changesMax, default: 100, description: "Maximum number of changes" }),
})
