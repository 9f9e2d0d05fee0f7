import type { Pet } from "../../src/core/domain/pets/contract.ts"
import type { Database } from "../../src/core/domain/ports/store.ts"

/** Adds sold pets of the maximum size; in XML they are five times as large. */
export async function addLargePets({ store }: { store: Database }, firstId: number, count: number): Promise<void> {
  const photoUrls = Array<string>(50).fill(`https://pets.example/?${"&".repeat(2000)}`)
  for (let id = firstId; id < firstId + count; id++)
    await store.transaction((tx) => tx.pets.add([{ id, name: "Żółw", photoUrls, tags: [], status: "sold" } as Pet]))
}
