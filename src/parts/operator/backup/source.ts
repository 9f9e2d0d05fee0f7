import type { Repositories } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { describeDatabase, findDamage } from "../../../core/sqlite/description.ts"
import { forgetImages } from "../../../core/sqlite/forget-images.ts"
import { copyDatabase } from "../../../core/sqlite/online-copy.ts"
import { openSqliteReader } from "../../../core/sqlite/reader.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { DamagedRecords, Report } from "../contract.ts"
import { findDamagedRecords } from "../installation/damage.ts"

const mebibyte = 1024 * 1024

/** The database of a backup. */
export type Source = AsyncDisposable & {
  description: Manifest["database"]
  repositories: Pick<Repositories, "images" | "signingKeys" | "webhooks">
  /** The records that do not match their hashes; none where the database has its own tools. */
  damaged: readonly DamagedRecords[]
  /**
   * Removes those of these images, by SHA-256, from the copied database that no pet refers to: the service may have deleted them
   * during the backup. Resolves with the new description and the images that pets still refer to.
   */
  withoutImages(
    unavailable: readonly string[],
  ): Promise<{ database: Manifest["database"]; needed: ReadonlySet<string> }>
}

/** Copies an SQLite database to `draft` and opens the copy. */
export async function openSqliteCopy(file: string, draft: string, report: Report): Promise<Source> {
  await copyDatabase(file, draft, (done, total) =>
    report("database", Math.round(done / mebibyte), Math.ceil(total / mebibyte), "MiB"),
  )
  const damage = findDamage(draft)
  if (damage.length > 0) throw new CannotStart(`The database is damaged: ${damage.join("; ")}`)
  const repositories = openSqliteReader(draft)
  const description = { kind: "sqlite" as const, ...describeDatabase(draft) }
  return {
    description,
    repositories,
    damaged: await findDamagedRecords(repositories, description.schemaVersion),
    async withoutImages(unavailable) {
      if (unavailable.length === 0) return { database: description, needed: new Set() }
      const needed = new Set(forgetImages(draft, unavailable))
      return { database: { ...description, ...describeDatabase(draft) }, needed }
    },
    [Symbol.asyncDispose]: async () => repositories[Symbol.dispose](),
  }
}

/** Opens a PostgreSQL database, which its own tools back up. */
export async function openPostgresBackup(url: string): Promise<Source> {
  const reader = await import("../../replicas/postgres/open.ts")
  const { repositories, [Symbol.asyncDispose]: close } = await reader.openPostgresReader(url)
  const description = { kind: "postgres" as const, id: await repositories.origin.identity() }
  return {
    description,
    repositories,
    damaged: [],
    async withoutImages(unavailable) {
      const needed = new Set<string>()
      for (const sha256 of unavailable) if (await repositories.images.read(sha256)) needed.add(sha256)
      return { database: description, needed }
    },
    [Symbol.asyncDispose]: close,
  }
}
