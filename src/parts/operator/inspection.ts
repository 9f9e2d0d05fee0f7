import { statSync } from "node:fs"
import { userInfo } from "node:os"
import type { Config } from "../../core/config/config.ts"
import { findKey } from "../../core/crypto/sealing-key.ts"
import type { BlobReader } from "../../core/domain/images/store.ts"
import { type Repositories, StoreUnavailable } from "../../core/domain/ports/store.ts"
import { lanes } from "../../core/domain/webhooks/model.ts"
import { CannotStart } from "../../core/kernel/cannot-start.ts"
import { type Clock, systemClock } from "../../core/kernel/clock.ts"
import { migrations } from "../../core/sql/migrations.ts"
import type { HashCheck } from "../../core/workers/check-hashes.ts"
import { findMissing, findOrphans } from "../../core/workers/sweep-images.ts"
import { readBlobs } from "../replicas/storage.ts"
import type { Finding } from "./contract.ts"
import { describeDamaged, findDamagedImages, findDamagedRecords } from "./installation/damage.ts"
import { openStopped } from "./installation/stopped.ts"

const webhooksCounted = 1000
/** A service that keeps up has fewer. */
const dueMax = 1000
const orphansMax = 100
/** The maximum duration of an upload. */
const hourMs = 60 * 60 * 1000

const seeHandbook = 'See "Damaged and missing files" in docs/backup.md'

/** Inspects the data of a running service. */
export async function inspect(
  store: Repositories,
  clock: Clock,
  blobs: BlobReader,
  hashCheck: HashCheck | undefined,
): Promise<Finding[]> {
  const due = await countDue(store, clock)
  const advice = due >= dueMax && { advice: "Look for slow receivers in the log" }
  return [
    newestSchema,
    { about: "deliveries", found: `${due === 1 ? "1 webhook has" : `${due} webhooks have`} deliveries due`, ...advice },
    ...(await inspectImages(store, blobs, clock)),
    ...(hashCheck ? [describeRounds(hashCheck.found())] : []),
  ]
}

const newestSchema = { about: "schema", found: `version ${migrations.length}, the newest that this program supports` }

/** The service compares hashes in its rounds, so a command does not. */
function describeRounds(found: ReturnType<HashCheck["found"]>): Finding {
  const about = "hashes"
  const damaged = Object.values(found).reduce((sum, count) => sum + count, 0)
  if (damaged === 0) return { about, found: "the rounds of the service found no difference" }
  return { about, found: `${damaged} records or images do not match theirs; the log names them`, advice: seeHandbook }
}

async function countDue(store: Repositories, clock: Clock): Promise<number> {
  const due = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, clock.now(), webhooksCounted)))
  return due.flat().length
}

async function inspectImages(store: Repositories, blobs: BlobReader, clock: Clock): Promise<Finding[]> {
  const { scanned, orphans } = await findOrphans(store, blobs, clock.now() - hourMs)
  const { count, first } = await findMissing(store, blobs)
  const kept: Finding = {
    about: "images",
    found: `${scanned}, of which ${orphans.length} belong to no pet`,
    ...(orphans.length > orphansMax && { advice: "Check that it is the right database; see docs/backup.md" }),
  }
  if (count === 0) return [kept]
  const others = count > first.length ? ` and ${count - first.length} more` : ""
  const found = `files of ${count === 1 ? "an image" : `${count} images`} are missing: ${first.join(" ")}${others}`
  return [kept, { about: "image files", found, advice: seeHandbook }]
}

/** Inspects the files of a stopped service without changing them; returns no findings when there are none. */
export async function inspectStopped(config: Config): Promise<Finding[]> {
  const { database } = config
  if (database.kind === "sqlite" && !statSync(database.file, { throwIfNoEntry: false })?.size) return []
  if (database.kind === "sqlite") requireOwner(database.file)
  await using source = await openStopped(database)
  const { schema, damage } = source
  const findings = damage ? [describeDamage(damage)] : []
  // The checks below require the newest schema and a readable database.
  if (schema !== migrations.length) {
    const found = `version ${schema}, which the next start migrates to ${migrations.length}; images and key can be checked after that`
    return [...findings, { about: "schema", found }]
  }
  findings.push(newestSchema)
  if (damage && damage.length > 0) return findings
  const key = await attempt("sealing key", "Restore the key that the database was started with", async () => [
    { about: "sealing key", found: keyFindings[await findKey(source.repositories, config)] },
  ])
  const images = await attempt("images", seeHandbook, async () => {
    const blobs = await readBlobs(config)
    const owner = await blobs.owner()
    if (owner !== undefined && owner !== (await source.repositories.origin.identity()))
      return [{ about: "images", found: `they belong to another database, ${owner}`, advice: seeHandbook }]
    return inspectImages(source.repositories, blobs, systemClock)
  })
  const hashes = await attempt("hashes", seeHandbook, () => compareHashes(source.repositories, config))
  return [...findings, ...key, ...images, ...hashes]
}

/** Compares everything that has a hash with it. */
async function compareHashes(repositories: Repositories, config: Config): Promise<Finding[]> {
  const records = await findDamagedRecords(repositories, migrations.length)
  const images = await findDamagedImages(repositories.images, await readBlobs(config))
  const texts = [...records, ...images].map(describeDamaged)
  if (texts.length === 0) return [{ about: "hashes", found: "all records and images match theirs" }]
  return texts.map((found) => ({ about: "hashes", found, advice: seeHandbook }))
}

const describeDamage = (damage: readonly string[]): Finding =>
  damage.length === 0
    ? { about: "database", found: "a quick check found no problems" }
    : { about: "database", found: `damaged: ${damage.join("; ")}`, advice: seeHandbook }

const keyFindings = {
  current: "it decrypts the secrets in the database",
  other: "the next start completes its rotation",
}

/** The findings of a check, or the reason why it failed. */
async function attempt(about: string, advice: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof CannotStart || error instanceof StoreUnavailable)
      return [{ about, found: error.message, advice }]
    throw error
  }
}

/** Files that another user creates next to the database would prevent its owner from opening it. */
export function requireOwner(file: string): void {
  const about = statSync(file, { throwIfNoEntry: false })
  if (!about)
    throw new CannotStart(`There is no database ${file}: set PETSTORE_DATA_DIR to the service's data directory.`)
  if (about.uid !== userInfo().uid)
    throw new CannotStart(`${file} belongs to another user: run the command as the service's user.`)
}
