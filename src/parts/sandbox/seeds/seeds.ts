import { randomUUID } from "node:crypto"
import { addPetsQuietly } from "../../../core/domain/pets/add.ts"
import type { Repositories, TableRows } from "../../../core/domain/ports/store.ts"
import { type Animal, addAnimals, lastClientId } from "./animals.ts"
import { addClients } from "./clients.ts"
import type { OwnSeed, Seed } from "./contract.ts"
import { type SeedPorts, sandboxFileTables } from "./file-seed.ts"
import type { InitialData } from "./initial-data.ts"
import { addKeys } from "./keys.ts"
import { addOrders, classicOrders, ordersFor } from "./orders.ts"
import { addCategories, classicPets } from "./pets.ts"
import { sampleImages } from "./sample-images.ts"
import { shelterAnimals } from "./shelter.ts"
import { addUsers } from "./users.ts"

/** Fills an empty store inside a transaction. Photo URLs of pets start with `publicUrl`, or are relative if that is empty. */
type Fill = (tx: Repositories, publicUrl: string) => Promise<void>

/** Prepares the data of a sandbox: does slow work outside of the transaction, and returns the rest for `startOver`. */
export type Seeds = (seed: Seed) => Promise<{ fill: Fill; tables?: Iterable<TableRows> }>

const animalsOf: Record<OwnSeed, () => readonly Animal[]> = {
  classic: () => classicPets,
  empty: () => [],
  shelter: shelterAnimals,
}

/** Maximum number of animals in a seed. */
export const animalsMax = 300

/**
 * Makes the seeds: common keys, users and clients, and each seed's animals; or everything that a file has. Slow work is done once.
 * `hashes` are those of the sample users' passwords.
 */
export function sandboxSeeds(ports: SeedPorts, initial: InitialData, hashes: () => Promise<string[]>): Seeds {
  const { store, clock, blobs } = ports
  const keepImages = sampleImages(store, blobs)
  const fileTables = initial.kind === "sandbox" ? sandboxFileTables(initial, ports) : undefined

  return async (seed) => {
    if (seed === "initial" && fileTables) return { fill: renewStore, tables: await fileTables() }
    const own = seed !== "initial" ? seed : initial.kind === "seed" ? initial.seed : "empty"
    const drafts = seed === "initial" && initial.kind === "pets" ? initial.drafts : []
    const animals = animalsOf[own]()
    const [passwordHashes, images] = await Promise.all([
      hashes(),
      keepImages(
        animals.map(({ picture }) => picture),
        clock.now(),
      ),
    ])
    const fill: Fill = async (tx, publicUrl) => {
      await addKeys(tx, clock)
      await addClients(tx, clock.now())
      if (own === "classic") await addCategories(tx)
      await addAnimals(tx, animals, images, { publicUrl, at: clock.now() })
      await addPetsQuietly(
        tx,
        drafts.map((draft) => ({ draft, at: clock.now() })),
      )
      await tx.origin.putPublicUrl(publicUrl)
      await addUsers(tx, passwordHashes)
      if (own === "shelter") await tx.orders.continueIdsAfter(lastClientId)
      await addOrders(tx, clock, own === "classic" ? classicOrders : ordersFor(animals))
    }
    return { fill }
  }
}

/** A store that is made from a file is another one than that from which the file was made. */
const renewStore: Fill = (tx) => tx.origin.renewStoreId(randomUUID())
