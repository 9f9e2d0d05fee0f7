import { imagePath } from "../domain/images/contract.ts"
import type { StoredImage } from "../domain/images/store.ts"
import type { PetStatus } from "../domain/pets/contract.ts"
import { composePet } from "../domain/pets/rules.ts"
import type { Repositories } from "../domain/ports/store.ts"

/** An animal of a seed; `picture` names a sample image. */
export type Animal = { category: string; name: string; tags: readonly string[]; status: PetStatus; picture: string }

/**
 * Adds animals at a time (ms), in order from the next id on; their images count against the first account. Emits no events.
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
  const ids = await tx.pets.nextIds(animals.length)
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
