import type { BlobReader } from "../../../core/domain/images/store.ts"
import { type HashedKind, hashedKinds } from "../../../core/domain/ports/hashes.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"
import type { Examined } from "../../../core/kernel/examined.ts"
import { hashedTables } from "../../../core/sql/hashes/tables.ts"
import { type DamagedRecords, recordNouns } from "../contract.ts"
import { allImages, isDamaged } from "./images.ts"

const recordsAtOnce = 500
const namedMax = 20

/** Whether records of this kind have hashes in this version of the schema. */
export const isCompared = (kind: HashedKind, schemaVersion: number): boolean =>
  schemaVersion >= hashedTables[kind].since

/** Compares every record that has a hash with it; returns the kinds of which some do not match. */
export async function findDamagedRecords(
  { hashes, audit }: Pick<Repositories, "hashes" | "audit">,
  schemaVersion: number,
): Promise<DamagedRecords[]> {
  const found: DamagedRecords[] = []
  for (const kind of hashedKinds.filter((kind) => isCompared(kind, schemaVersion))) {
    const examine = (after: number) =>
      kind === "audit" ? audit.examine(after, recordsAtOnce) : hashes.examine(kind, after, recordsAtOnce)
    found.push({ kind, ...(await firstOf(damagedIds(examine))) })
  }
  return found.filter(({ count }) => count > 0)
}

/** The ids of all damaged records, in order. */
export async function* damagedIds(examine: (after: number) => Promise<Examined>): AsyncGenerator<number> {
  for (let position: number | undefined = 0; position !== undefined; ) {
    const { damaged, last }: Examined = await examine(position)
    yield* damaged
    position = last
  }
}

async function firstOf(damaged: AsyncIterable<number>) {
  const ids: number[] = []
  let count = 0
  for await (const id of damaged) if (++count <= namedMax) ids.push(id)
  return { ids, count }
}

/** Compares the original of every image with its SHA-256, unless the storage does that. Missing files are not damaged. */
export async function findDamagedImages(
  images: Pick<Repositories["images"], "after">,
  blobs: Pick<BlobReader, "read" | "hasChecksums">,
): Promise<DamagedRecords[]> {
  const keys: string[] = []
  if (!blobs.hasChecksums)
    for await (const image of allImages(images)) if (await isDamaged(image, blobs)) keys.push(image.blob)
  return keys.length === 0 ? [] : [{ kind: "images", ids: keys.slice(0, namedMax), count: keys.length }]
}

/** As a sentence without its end. */
export function describeDamaged({ kind, ids, count }: DamagedRecords): string {
  const others = count > ids.length ? ` and ${count - ids.length} more` : ""
  return `${recordNouns[kind].many} do not match their hashes: ${ids.join(" ")}${others}`
}
