import { imagePath } from "../domain/images/contract.ts"
import type { StoredImage } from "../domain/images/store.ts"
import { composePet, petEventData } from "../domain/pets/rules.ts"
import type { BlobStore, Repositories } from "../domain/ports.ts"
import type { Clock } from "../kernel/clock.ts"
import { keepImage } from "./sample-images.ts"

const categories = ["Dogs", "Cats", "Rabbits", "Lions"]

const classicPets = [
  { category: "Cats", name: "Cat 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Cats", name: "Cat 2", tags: ["tag2", "tag3"], status: "available" },
  { category: "Cats", name: "Cat 3", tags: ["tag3", "tag4"], status: "pending" },
  { category: "Dogs", name: "Dog 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Dogs", name: "Dog 2", tags: ["tag2", "tag3"], status: "sold" },
  { category: "Dogs", name: "Dog 3", tags: ["tag3", "tag4"], status: "pending" },
  { category: "Lions", name: "Lion 1", tags: ["tag1", "tag2"], status: "available" },
  { category: "Lions", name: "Lion 2", tags: ["tag2", "tag3"], status: "available" },
  { category: "Lions", name: "Lion 3", tags: ["tag3", "tag4"], status: "available" },
  { category: "Rabbits", name: "Rabbit 1", tags: ["tag3", "tag4"], status: "available" },
] as const

/** Keeps the images of the classic pets, in their order. */
export const keepImages = (blobs: BlobStore, clock: Clock): Promise<StoredImage[]> =>
  Promise.all(classicPets.map(({ name }) => keepImage(blobs, name, clock.now())))

/** The ten pets of the classic petstore, ids 1 to 10; their images count against this account. */
export async function addPets(
  tx: Repositories,
  clock: Clock,
  images: readonly StoredImage[],
  accountId: number,
): Promise<void> {
  const labels = {
    categories: new Map<string, number>(),
    tags: await tx.pets.tagIds(["tag1", "tag2", "tag3", "tag4"]),
  }
  for (const name of categories)
    for (const [key, id] of await tx.pets.categoryIds([name])) labels.categories.set(key, id)
  for (const [n, { category, name, tags, status }] of classicPets.entries()) {
    const image = images[n] as StoredImage
    await tx.images.add(image, accountId)
    const draft = {
      category: { name: category },
      name,
      photoUrls: [imagePath(image.sha256)],
      tags: tags.map((tag) => ({ name: tag })),
    }
    const pet = composePet(draft, await tx.pets.nextId(), status, labels)
    await tx.pets.add(pet)
    await tx.events.add("pet.created", petEventData(pet), clock.now())
  }
}
