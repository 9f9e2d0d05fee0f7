import { imagePath } from "../domain/images/contract.ts"
import type { StoredImage } from "../domain/images/store.ts"
import type { PetStatus } from "../domain/pets/contract.ts"
import { composePet, petEventData } from "../domain/pets/rules.ts"
import type { Repositories } from "../domain/ports.ts"
import type { Clock } from "../kernel/clock.ts"

/** An animal of a seed; `picture` names one of the drawn images. */
export type Animal = { category: string; name: string; tags: readonly string[]; status: PetStatus; picture: string }

/**
 * Adds animals in their order, from the next id on; their images count against this account. What does not depend on each
 * other is sent together, which saves a database elsewhere a thousand round trips.
 */
export async function addAnimals(
  tx: Repositories,
  clock: Clock,
  animals: readonly Animal[],
  images: ReadonlyMap<string, StoredImage>,
  accountId: number,
): Promise<void> {
  const labels = {
    categories: await tx.pets.categoryIds([...new Set(animals.map(({ category }) => category))]),
    tags: await tx.pets.tagIds([...new Set(animals.flatMap(({ tags }) => tags))]),
  }
  for (const image of images.values()) await tx.images.add(image, accountId)
  const ids = await Promise.all(animals.map(() => tx.pets.nextId()))
  const pets = animals.map(({ category, name, tags, status, picture }, n) =>
    composePet(
      {
        category: { name: category },
        name,
        photoUrls: [imagePath((images.get(picture) as StoredImage).sha256)],
        tags: tags.map((tag) => ({ name: tag })),
      },
      ids[n] as number,
      status,
      labels,
    ),
  )
  await Promise.all(pets.map((pet) => tx.pets.add(pet)))
  await Promise.all(pets.map((pet) => tx.events.add("pet.created", petEventData(pet), clock.now())))
}
