import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import type { Seed } from "../domain/sandbox/contract.ts"
import type { Clock } from "../kernel/clock.ts"
import { type Animal, addAnimals } from "./animals.ts"
import { addClients } from "./clients.ts"
import { addKeys } from "./keys.ts"
import { addOrders, classicOrders, ordersFor } from "./orders.ts"
import { addCategories, classicPets } from "./pets.ts"
import { sampleImages } from "./sample-images.ts"
import { shelterAnimals } from "./shelter.ts"
import { addUsers } from "./users.ts"

type SeedsDeps = {
  store: Store
  clock: Clock
  blobs: BlobStore
  /** The hashes of the sample users' passwords. */
  hashes(): Promise<string[]>
}

/** Fills an empty store inside a transaction. Its pets have photos at `publicUrl`, or relative URLs where that is empty. */
type Fill = (tx: Repositories, publicUrl: string) => Promise<void>

/** What the sandbox may begin with. */
export type Seeds = ReturnType<typeof sandboxSeeds>

const animalsOf: Record<Seed, () => readonly Animal[]> = {
  classic: () => classicPets,
  empty: () => [],
  shelter: shelterAnimals,
}

/** How many animals a seed has at most; their ids begin at 1. */
export const animalsMax = 300

/** Makes the seeds: the same keys, users and clients with each, and its own animals. What takes time is done once. */
export function sandboxSeeds({ store, clock, blobs, hashes }: SeedsDeps) {
  const keepImages = sampleImages(store, blobs)

  /** Does what a transaction should not wait for, and returns the rest. */
  return async (seed: Seed): Promise<Fill> => {
    const animals = animalsOf[seed]()
    const [passwordHashes, images] = await Promise.all([
      hashes(),
      keepImages(
        animals.map(({ picture }) => picture),
        clock.now(),
      ),
    ])
    return async (tx, publicUrl) => {
      await addKeys(tx, clock)
      await addClients(tx, clock.now())
      if (seed === "classic") await addCategories(tx)
      await addAnimals(tx, animals, images, publicUrl)
      await tx.origin.putPublicUrl(publicUrl)
      await addUsers(tx, passwordHashes)
      await addOrders(tx, clock, seed === "classic" ? classicOrders : ordersFor(animals))
    }
  }
}
