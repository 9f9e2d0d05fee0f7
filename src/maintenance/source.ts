import type { Repositories } from "../domain/ports.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { describeDatabase, findDamage } from "../storage/sqlite/description.ts"
import { forgetImages } from "../storage/sqlite/forget-images.ts"
import { copyDatabase } from "../storage/sqlite/online-copy.ts"
import { openSqliteReader } from "../storage/sqlite/reader.ts"
import type { Manifest } from "./archive/manifest.ts"
import { type Report, reportBytes } from "./report.ts"

/** A database of which a backup is made. */
export type Source = AsyncDisposable & {
  description: Manifest["database"]
  repositories: Pick<Repositories, "images" | "signingKeys" | "webhooks">
  /** What the backup's database says, once it has forgotten images whose files are gone; throws CannotStart for needed ones. */
  withoutImages(missing: readonly string[]): Promise<Manifest["database"]>
}

/** Copies an SQLite database to this path and reads the copy. */
export async function copySqlite(file: string, draft: string, report: Report): Promise<Source> {
  await copyDatabase(file, draft, reportBytes(report, "database"))
  const damage = findDamage(draft)
  if (damage.length > 0) throw new CannotStart(`The database is damaged: ${damage.join("; ")}`)
  const repositories = openSqliteReader(draft)
  const description = { kind: "sqlite" as const, ...describeDatabase(draft) }
  return {
    description,
    repositories,
    async withoutImages(missing) {
      if (missing.length === 0) return description
      requireNone(forgetImages(draft, missing))
      return { ...description, ...describeDatabase(draft) }
    },
    [Symbol.asyncDispose]: async () => repositories[Symbol.dispose](),
  }
}

/** Reads a PostgreSQL database, whose own tools make a backup of it. */
export async function readPostgres(url: string): Promise<Source> {
  const { openPostgresReader } = await import("../storage/postgres/reader.ts")
  const repositories = await openPostgresReader(url)
  const description = { kind: "postgres" as const, id: await repositories.origin.identity() }
  return {
    description,
    repositories,
    async withoutImages(missing) {
      const known = await Promise.all(missing.map((sha256) => repositories.images.read(sha256)))
      requireNone(known.flatMap((image) => image?.sha256 ?? []))
      return description
    },
    [Symbol.asyncDispose]: () => repositories[Symbol.asyncDispose](),
  }
}

/** A service forgets images that no pet refers to, also while they are copied; any other missing one is damage. */
function requireNone([first, ...others]: readonly string[]): void {
  if (first !== undefined)
    throw new CannotStart(
      `The files of image ${first}, to which a pet refers, are missing; so are those of ${others.length} others`,
    )
}
