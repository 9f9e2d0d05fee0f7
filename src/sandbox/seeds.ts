import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import type { Seed } from "../domain/sandbox/start/contract.ts"
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

/** Fills an empty store inside a transaction. Photo URLs of pets start with `publicUrl`, or are relative if that is empty. */
type Fill = (tx: Repositories, publicUrl: string) => Promise<void>

/** Prepares the initial data of a sandbox: does slow work outside of the transaction and returns the rest. */
export type Seeds = (seed: Seed) => Promise<Fill>

const animalsOf: Record<Seed, () => readonly Animal[]> = {
  classic: () => classicPets,
  empty: () => [],
  shelter: shelterAnimals,
}

/** Maximum number of animals in a seed; their ids start at 1. */
export const animalsMax = 300

/** Makes the seeds: common keys, users and clients, and each seed's animals. Slow work is done once. */
export function sandboxSeeds({ store, clock, blobs, hashes }: SeedsDeps): Seeds {
  const keepImages = sampleImages(store, blobs)

  return async (seed) => {
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
      await addAnimals(tx, animals, images, { publicUrl, at: clock.now() })
      await tx.origin.putPublicUrl(publicUrl)
      await addUsers(tx, passwordHashes)
      await addOrders(tx, clock, seed === "classic" ? classicOrders : ordersFor(animals))
    }
  }
}
