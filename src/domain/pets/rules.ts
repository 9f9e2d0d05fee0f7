import { inParameter, type Violation } from "../../kernel/problem.ts"
import { exactly } from "../../kernel/schema/exactly.ts"
import { Pet, type PetDraft, type PetForm, PetPatch, type PetStatus } from "./contract.ts"

/** The ids of category and tag names. */
export type LabelIds = { categories: ReadonlyMap<string, number>; tags: ReadonlyMap<string, number> }

/** The names a pet needs ids for; equal tags count once. */
export function labelsOf(draft: Pick<PetDraft, "category" | "tags">): { categories: string[]; tags: string[] } {
  return {
    categories: draft.category ? [draft.category.name] : [],
    tags: [...new Set(draft.tags?.map((tag) => tag.name))],
  }
}

/** The whole pet: what the draft says, with every id filled in and equal tags once. */
export function composePet(draft: PetDraft, id: number, status: PetStatus, ids: LabelIds): Pet {
  const { category, tags = [], ...rest } = draft
  const byName = new Map<string, Pet["tags"][number]>()
  for (const tag of tags)
    if (!byName.has(tag.name)) byName.set(tag.name, { ...tag, id: ids.tags.get(tag.name) as number })
  return exactly(Pet, {
    ...rest,
    id,
    ...(category && { category: { ...category, id: ids.categories.get(category.name) as number } }),
    tags: [...byName.values()],
    status,
  })
}

/** The pet after a JSON merge patch (RFC 7396), still to be checked against the schema of a replacement. */
export function applyPatch(pet: Pet, patch: PetPatch): unknown {
  const { category, ...rest } = { ...pet, ...patch }
  const kept = Object.entries(rest).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(kept), ...(category && { category: { ...pet.category, ...category } }) }
}

/** Whether a merge patch asks for anything; the pet's own id in it does not. */
export const asksForChange = (patch: PetPatch): boolean =>
  Object.keys(PetPatch.properties).some((name) => name !== "id" && name in patch)

/** What the form update is given twice, in the query and in the body, and not alike. */
export const contradictions = (query: PetForm, body: PetForm): Violation[] =>
  (["name", "status"] as const)
    .filter((name) => query[name] !== undefined && body[name] !== undefined && query[name] !== body[name])
    .flatMap((name) => inParameter(name, "contradictory", "is another one in the body"))

/** What an event tells of a pet. */
export const petEventData = ({ id, name, status }: Pet) => ({ id, name, status })
