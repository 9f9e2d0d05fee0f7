import { counted } from "../../../core/kernel/counted.ts"
import { type ComparedKind, comparedKinds, type SandboxChange, type SandboxDiff } from "./contract.ts"

/** "Compared with template: 2 pets added, 1 changed; 1 order removed". */
export function describeDiff({ with: other, seed, counts, changes, isComplete }: SandboxDiff): string {
  const kinds = comparedKinds.flatMap((kind) => {
    const done = (["added", "removed", "changed"] as const).filter((change) => counts[kind][change] > 0)
    const words = done.map((change, n) => {
      const count = counts[kind][change]
      return `${n === 0 ? counted(count, kind) : count.toLocaleString("en")} ${change}`
    })
    return words.length > 0 ? [words.join(", ")] : []
  })
  const cut = isComplete ? "" : ` (${changes.length.toLocaleString("en")} shown)`
  return `Compared with ${other ?? `the ${seed} data`}: ${kinds.join("; ") || "no difference"}${cut}`
}

/** A line of a difference; values are JSON, and what was added or removed has its name. */
export type DiffLine = Pick<SandboxChange, "change" | "kind" | "id"> & {
  member: string
  before: string
  after: string
}

/** One line for what was added or removed, and for each member that differs. */
export function linesOf({ kind, id, change, value, members = [] }: SandboxChange): DiffLine[] {
  const name = nameOf[kind](value as Shown)
  if (change === "added") return [{ change, kind, id, member: "", before: "", after: name }]
  if (change === "removed") return [{ change, kind, id, member: "", before: name, after: "" }]
  return members.map((member) => ({
    change,
    kind,
    id,
    member: member.pointer.slice(1),
    before: textOf(member.before),
    after: "before" in member || "after" in member ? textOf(member.after) : "(secret)",
  }))
}

type Shown = Partial<Record<"name" | "username" | "url" | "status" | "petId", string | number>> | undefined

const nameOf: Readonly<Record<ComparedKind, (value: Shown) => string>> = {
  pet: (pet) => `${pet?.name}`,
  order: (order) => `pet ${order?.petId}, ${order?.status}`,
  user: (user) => `${user?.username}`,
  webhook: (webhook) => `${webhook?.url}`,
  key: (key) => `${key?.name}`,
}

const textOf = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value))
