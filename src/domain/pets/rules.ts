import type { Pet, PetDraft, PetPatch, PetStatus } from "./contract.ts"

/** The ids of category and tag names. */
export type LabelIds = { categories: ReadonlyMap<string, number>; tags: ReadonlyMap<string, number> }

/** The names a pet needs ids for; equal tags count once. */
export function labelsOf(draft: Pick<PetDraft, "category" | "tags">): { categories: string[]; tags: string[] } {
  return {
    categories: draft.category ? [draft.category.name] : [],
    tags: [...new Set(draft.tags?.map((tag) => tag.name))],
  }
}

/** The whole pet: members in the order of the specification, every id filled in. */
export function compose(draft: PetDraft, id: number, status: PetStatus, ids: LabelIds): Pet {
  const { categories, tags } = labelsOf(draft)
  const labelled = (known: ReadonlyMap<string, number>) => (name: string) => ({ id: known.get(name) as number, name })
  const [category] = categories.map(labelled(ids.categories))
  return {
    id,
    ...(category && { category }),
    name: draft.name,
    photoUrls: draft.photoUrls,
    tags: tags.map(labelled(ids.tags)),
    status,
  }
}

/** The pet after a JSON merge patch (RFC 7396), still to be checked against the schema of a replacement. */
export function patched(pet: Pet, patch: PetPatch): unknown {
  const { category, tags, ...rest } = { ...pet, ...patch }
  return {
    ...rest,
    ...(category && { category: { ...pet.category, ...category } }),
    ...(tags && { tags }),
  }
}

/** What an event tells of a pet. */
export const announced = ({ id, name, status }: Pet) => ({ id, name, status })
