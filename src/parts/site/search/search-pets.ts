import type { Pet } from "../../../core/domain/pets/contract.ts"
import { type Call, calledUnless } from "../serving/call.ts"
import { contains, type Found, idIn } from "./found.ts"

/** Pets that are shown, and those that are found by an index. */
const petsShown = 10

/** The newest pets, whose names, categories and tags are searched for any part of a text: no index finds these, and there may be a million. */
const petsSearched = 500

type Addresses = { pet(id: number): string; list(query: Record<string, string>): string }

/** Finds pets by id and by the beginning of the name, and among the newest by any part of it; and categories and tags in the same way. */
export async function searchPets(
  { getPetById, listPets }: Pick<Call, "getPetById" | "listPets">,
  text: string,
  addresses: Addresses,
): Promise<Found[]> {
  if (text === "") return []
  const list = async (query: { name?: string; category?: string[]; tag?: string[]; limit: number }) =>
    (await calledUnless(["invalid-parameter"], listPets({ query })))?.value ?? []
  const petId = idIn(text, "pet")
  const [byId, named, inCategory, tagged, newest] = await Promise.all([
    petId === undefined ? undefined : calledUnless(["pet-not-found"], getPetById({ params: { petId } })),
    list({ name: text, limit: petsShown }),
    list({ category: [text], limit: 1 }),
    list({ tag: [text], limit: 1 }),
    list({ limit: petsSearched }),
  ])
  const pets = [...(byId ? [byId.value] : []), ...named, ...newest.filter(({ name }) => contains(text, name))]
  const all = [...inCategory, ...tagged, ...newest]
  return [
    {
      title: "Pets",
      hits: withoutRepetition(pets)
        .slice(0, petsShown)
        .map((pet) => hitOf(pet, addresses)),
    },
    labelsIn(
      "Categories",
      "category",
      all.flatMap(({ category }) => category?.name ?? []),
    ),
    labelsIn(
      "Tags",
      "tag",
      all.flatMap(({ tags }) => tags.map(({ name }) => name)),
    ),
  ]

  function labelsIn(title: string, kind: "category" | "tag", names: readonly string[]): Found {
    const found = [...new Set(names)].filter((name) => contains(text, name)).sort()
    return { title, hits: found.map((name) => ({ label: name, note: "", href: addresses.list({ [kind]: name }) })) }
  }
}

const withoutRepetition = (pets: readonly Pet[]): Pet[] => [...new Map(pets.map((pet) => [pet.id, pet])).values()]

const hitOf = ({ id, name, status, category }: Pet, { pet }: Addresses) => ({
  label: name,
  note: `#${id} ${status}${category ? `, ${category.name}` : ""}`,
  href: pet(id),
})
