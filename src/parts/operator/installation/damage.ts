import type { BlobReader } from "../../../core/domain/images/store.ts"
import type { Repositories } from "../../../core/domain/ports/store.ts"
import type { Examined } from "../../../core/kernel/examined.ts"
import type { DamagedRecords } from "../contract.ts"
import { allImages, isDamaged } from "./images.ts"

const recordsAtOnce = 500
const namedMax = 20

type Examining = { examine(after: number, limit: number): Promise<Examined> }

/**
 * Compares every pet and every entry of the audit log with their hashes; returns the kinds of which some do not match. `tables` are
 * those of an older schema.
 */
export async function findDamagedRecords(
  { pets, audit }: { pets: Examining; audit: Examining },
  tables: Readonly<Record<string, number>> = { pets: 0, audit: 0 },
): Promise<DamagedRecords[]> {
  const found: DamagedRecords[] = []
  for (const [kind, { examine }] of [["pets", pets] as const, ["audit", audit] as const])
    if (tables[kind] !== undefined) found.push({ kind, ...(await examineAll(examine)) })
  return found.filter(({ count }) => count > 0)
}

async function examineAll(examine: (after: number, limit: number) => Promise<Examined>) {
  const ids: number[] = []
  let count = 0
  for (let position: number | undefined = 0; position !== undefined; ) {
    const { damaged, last }: Examined = await examine(position, recordsAtOnce)
    ids.push(...damaged.slice(0, namedMax - ids.length))
    count += damaged.length
    position = last
  }
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
  return `${nouns[kind]} do not match their hashes: ${ids.join(" ")}${others}`
}

const nouns = { pets: "pets", audit: "entries of the audit log", images: "images" }
