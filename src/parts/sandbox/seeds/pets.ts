import type { Repositories } from "../../../core/domain/ports/store.ts"
import type { Animal } from "./animals.ts"

/** The ten pets of the classic petstore. */
export const classicPets: readonly Animal[] = [
  { category: "Cats", name: "Cat 1", tags: ["tag1", "tag2"], status: "available", picture: "cat-1" },
  { category: "Cats", name: "Cat 2", tags: ["tag2", "tag3"], status: "available", picture: "cat-2" },
  { category: "Cats", name: "Cat 3", tags: ["tag3", "tag4"], status: "pending", picture: "cat-3" },
  { category: "Dogs", name: "Dog 1", tags: ["tag1", "tag2"], status: "available", picture: "dog-1" },
  { category: "Dogs", name: "Dog 2", tags: ["tag2", "tag3"], status: "sold", picture: "dog-2" },
  { category: "Dogs", name: "Dog 3", tags: ["tag3", "tag4"], status: "pending", picture: "dog-3" },
  { category: "Lions", name: "Lion 1", tags: ["tag1", "tag2"], status: "available", picture: "lion-1" },
  { category: "Lions", name: "Lion 2", tags: ["tag2", "tag3"], status: "available", picture: "lion-2" },
  { category: "Lions", name: "Lion 3", tags: ["tag3", "tag4"], status: "available", picture: "lion-3" },
  { category: "Rabbits", name: "Rabbit 1", tags: ["tag3", "tag4"], status: "available", picture: "rabbit-1" },
]

/** Creates the categories of the classic petstore with its ids, 1 to 4. */
export async function addCategories(tx: Repositories): Promise<void> {
  for (const name of ["Dogs", "Cats", "Rabbits", "Lions"]) await tx.pets.categoryIds([name])
}
