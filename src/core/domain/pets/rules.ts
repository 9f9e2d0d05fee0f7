import { inParameter, type Violation } from "../../kernel/problem.ts"
import { exactly } from "../../kernel/schema/exactly.ts"
import { Pet, type PetDraft, type PetForm, PetPatch, type PetStatus } from "./contract.ts"

/** The ids of categories and tags by name. */
export type LabelIds = { categories: ReadonlyMap<string, number>; tags: ReadonlyMap<string, number> }

/** The label names of a pet, without duplicates. */
export function labelsOf(draft: Pick<PetDraft, "category" | "tags">): { categories: string[]; tags: string[] } {
  return {
    categories: draft.category ? [draft.category.name] : [],
    tags: [...new Set(draft.tags?.map((tag) => tag.name))],
  }
}

/** The pet to store: the draft with all ids, without duplicate tags. */
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

/** Applies a JSON merge patch (RFC 7396). The result is not yet checked against the schema of a replacement. */
export function applyPatch(pet: Pet, patch: PetPatch): unknown {
  const { category, ...rest } = { ...pet, ...patch }
  const kept = Object.entries(rest).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(kept), ...(category && { category: { ...pet.category, ...category } }) }
}

/** Whether a merge patch changes any field other than the id. */
export const asksForChange = (patch: PetPatch): boolean =>
  Object.keys(PetPatch.properties).some((name) => name !== "id" && name in patch)

/** Fields of the form update with different values in query and body. */
export const contradictions = (query: PetForm, body: PetForm): Violation[] =>
  (["name", "status"] as const)
    .filter((name) => query[name] !== undefined && body[name] !== undefined && query[name] !== body[name])
    .flatMap((name) => inParameter(name, "contradictory", "differs from the value in the body"))

export const petEventData = ({ id, name, status }: Pet) => ({ id, name, status })
