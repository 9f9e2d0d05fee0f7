// Decision: docs/decisions/operator.md#stored-hashes-are-compared-in-a-slow-round

import { createHash } from "node:crypto"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { BlobReader, StoredImage } from "../domain/images/store.ts"
import { type HashedKind, hashedKinds } from "../domain/ports/hashes.ts"
import { type Store, StoreUnavailable } from "../domain/ports/store.ts"
import { hashedRecords } from "../domain/problems/hashed.ts"
import type { Examined } from "../kernel/examined.ts"
import type { Measured, Sample } from "../kernel/measure.ts"

/** Records of one turn: few, because a pet can have 100 KB. */
const recordsAtOnce = 25
const recordsMax = 20_000
const imageBytesMax = 64 * 1024 * 1024
/** How many records a line of the log names. */
const namedMax = 20

type Compared = HashedKind | "images"

/** What has hashes, and the log for what does not match them. */
type Checked = {
  store: Pick<Store, "audit" | "hashes" | "images" | "transaction">
  blobs: Pick<BlobReader, "read" | "hasChecksums">
  log: { error(facts: object, message: string): void }
}

/** Compares stored hashes with the content, a part in each round. */
export type HashCheck = Measured & {
  checkHashes(parts: Checked): Promise<void>
  /** How many damaged records the last comparison of all of them found. */
  found(): Readonly<Record<Compared, number>>
}

/**
 * Creates a chore that compares records and images with their hashes, and stores the hashes that records of older versions lack. Each
 * run compares at most 20,000 records of a kind and 64 MiB of images, and continues where the last one stopped.
 */
export function createHashCheck(): HashCheck {
  const found = { ...none }
  /** In the comparison under way. */
  const counts = { ...found }
  const positions = { ...found, images: "" }

  function note(kind: Compared, damaged: readonly (number | string)[], isEnd: boolean, log: Checked["log"]): void {
    counts[kind] += damaged.length
    found[kind] = isEnd ? counts[kind] : Math.max(found[kind], counts[kind])
    if (isEnd) counts[kind] = 0
    if (damaged.length > 0) log.error({ [kind]: damaged.slice(0, namedMax), count: damaged.length }, messageOf(kind))
  }

  async function checkRecords(kind: HashedKind, store: Checked["store"], log: Checked["log"]): Promise<void> {
    const all: number[] = []
    for (let n = 0; n < recordsMax; n += recordsAtOnce) {
      const { damaged, last } = await compare(kind, store, positions[kind])
      all.push(...damaged)
      positions[kind] = last ?? 0
      if (last === undefined) break
      await nextTurn()
    }
    note(kind, all, positions[kind] === 0, log)
  }

  async function checkImages({ images }: Checked["store"], blobs: Checked["blobs"], log: Checked["log"]) {
    const all: string[] = []
    for (let bytes = 0; bytes < imageBytesMax; ) {
      const [image] = await images.after(positions.images, 1)
      positions.images = image?.sha256 ?? ""
      if (!image) break
      // A request may have deleted it since.
      if (!(await isIntact(image, blobs)) && (await images.read(image.sha256))) all.push(image.blob)
      bytes += image.bytes.original
    }
    note("images", all, positions.images === "", log)
  }

  return {
    async checkHashes({ store, blobs, log }) {
      for (const kind of hashedKinds) await checkRecords(kind, store, log)
      if (!blobs.hasChecksums) await checkImages(store, blobs, log)
    },
    found: () => found,
    metrics: [
      {
        name: "petstore_damaged_records",
        help: "Stored records that do not match their hashes, found by the last comparison",
        type: "gauge",
        labels: ["kind"],
        read: (): Sample[] => Object.entries(found).map(([kind, value]) => ({ labels: { kind }, value })),
      },
    ],
  }
}

/** Compares the next records after this id. */
async function compare(kind: HashedKind, store: Checked["store"], after: number): Promise<Examined> {
  // Its entries also name their predecessors.
  if (kind === "audit") return store.audit.examine(after, recordsAtOnce)
  const examined = await store.hashes.examine(kind, after, recordsAtOnce)
  if (examined.withoutHash > 0) await store.transaction((tx) => tx.hashes.fill(kind, after, recordsAtOnce))
  return examined
}

const none = Object.fromEntries([...hashedKinds, "images"].map((kind) => [kind, 0])) as Record<Compared, number>

const seeHandbook = 'See "Damaged and missing files" in docs/backup.md'

const messageOf = (kind: Compared): string => {
  if (kind === "images")
    return `files of images do not match their hashes or are missing: the disk is damaged. ${seeHandbook}`
  const cause = kind === "audit" ? "the log was changed, or the disk is damaged" : "the database or its disk is damaged"
  return `${hashedRecords[kind].many} do not match their hashes: ${cause}. ${seeHandbook}`
}

/** Whether the original has the SHA-256 under which the image is stored; false when bytes are missing or unreadable. */
async function isIntact({ sha256, blob, bytes }: StoredImage, blobs: Pick<BlobReader, "read">): Promise<boolean> {
  const found = createHash("sha256")
  try {
    const chunks = await blobs.read(blob, "original", { start: 0, end: bytes.original - 1 })
    for await (const chunk of chunks ?? []) found.update(chunk)
  } catch (error) {
    if (error instanceof StoreUnavailable || (error as NodeJS.ErrnoException).syscall !== "read") throw error
  }
  return found.digest("hex") === sha256
}
