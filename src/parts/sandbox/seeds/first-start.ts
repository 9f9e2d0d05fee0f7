import { fillOnce, isEmpty } from "../../../core/assembly/first-start.ts"
import { type Database, type Repositories, StoreUnavailable, type TableRows } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Seeds } from "./seeds.ts"

/** Fills an empty store with the sample data of the sandbox. Throws CannotStart for data of the other profile. */
export async function fillSandbox(store: Database, seeds: Seeds, publicUrl: string): Promise<void> {
  if (!(await isEmpty(store, "sandbox"))) return
  const { fill, tables } = await seeds("initial").catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new CannotStart(`The first start cannot store the sample images: ${error.message}`, { cause: error })
  })
  const fillHere = (tx: Repositories) => fill(tx, publicUrl)
  await (tables ? startFromFile(store, fillHere, tables) : fillOnce(store, "sandbox", fillHere))
}

/** Replaces an empty store by the tables of a sandbox file, which have its origin. */
async function startFromFile(store: Database, fill: (tx: Repositories) => Promise<void>, tables: Iterable<TableRows>) {
  try {
    await store.startOver(fill, tables)
  } catch (error) {
    throw new CannotStart(`PETSTORE_SEED: the data of the file cannot be stored: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
