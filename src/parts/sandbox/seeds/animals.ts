import { imagePath } from "../../../core/domain/images/contract.ts"
import type { StoredImage } from "../../../core/domain/images/store.ts"
import type { PetStatus } from "../../../core/domain/pets/contract.ts"
import { composePet } from "../../../core/domain/pets/rules.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"

/** An animal of a seed; `picture` names a sample image. */
export type Animal = { category: string; name: string; tags: readonly string[]; status: PetStatus; picture: string }

/** Clients and their tests choose ids up to this one: those of a seed are above it, besides those that documents name. */
export const lastClientId = 1000
/** Documents name the pets 1 to 10. */
const namedAnimals = 10

/** The id of the animal at this index of a seed. */
export const idOfAnimal = (index: number): number =>
  index + 1 + (index < namedAnimals ? 0 : lastClientId - namedAnimals)

/**
 * Adds animals at a time (ms); their images count against the first account. Emits no events.
 */
export async function addAnimals(
  tx: Repositories,
  animals: readonly Animal[],
  images: ReadonlyMap<string, StoredImage>,
  { publicUrl, at }: { publicUrl: string; at: number },
): Promise<void> {
  const labels = {
    categories: await tx.pets.categoryIds([...new Set(animals.map(({ category }) => category))]),
    tags: await tx.pets.tagIds([...new Set(animals.flatMap(({ tags }) => tags))]),
  }
  for (const image of images.values()) await tx.images.add(image, 1)
  const ids = await tx.pets.nextIds(Math.min(animals.length, namedAnimals))
  if (animals.length > namedAnimals) {
    await tx.pets.continueIdsAfter(lastClientId)
    ids.push(...(await tx.pets.nextIds(animals.length - namedAnimals)))
  }
  const pets = animals.map(({ category, name, tags, status, picture }, n) =>
    composePet(
      {
        category: { name: category },
        name,
        photoUrls: [publicUrl + imagePath((images.get(picture) as StoredImage).sha256)],
        tags: tags.map((tag) => ({ name: tag })),
      },
      ids[n] as number,
      status,
      labels,
    ),
  )
  await tx.pets.add(pets, at)
}
