import type { Report } from "../../domain/admin/contract.ts"
import type { Repositories } from "../../domain/ports/store.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { describeDatabase, findDamage } from "../../storage/sqlite/description.ts"
import { forgetImages } from "../../storage/sqlite/forget-images.ts"
import { copyDatabase } from "../../storage/sqlite/online-copy.ts"
import { openSqliteReader } from "../../storage/sqlite/reader.ts"
import type { Manifest } from "../archive/manifest.ts"

const mebibyte = 1024 * 1024

/** A database of which a backup is made. */
export type Source = AsyncDisposable & {
  description: Manifest["database"]
  repositories: Pick<Repositories, "images" | "signingKeys" | "webhooks">
  /**
   * Lets the backup's database forget those of these images, by SHA-256, that no pet refers to: a service forgets them, also
   * while they are copied. Resolves with what the database says then, and the others, which pets need.
   */
  withoutImages(absent: readonly string[]): Promise<{ database: Manifest["database"]; needed: ReadonlySet<string> }>
}

/** Copies an SQLite database to this path and reads the copy. */
export async function copySqlite(file: string, draft: string, report: Report): Promise<Source> {
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
    async withoutImages(absent) {
      if (absent.length === 0) return { database: description, needed: new Set() }
      const needed = new Set(forgetImages(draft, absent))
      return { database: { ...description, ...describeDatabase(draft) }, needed }
    },
    [Symbol.asyncDispose]: async () => repositories[Symbol.dispose](),
  }
}

/** Reads a PostgreSQL database, whose own tools make a backup of it. */
export async function readPostgresSource(url: string): Promise<Source> {
  const reader = await import("../../storage/postgres/open.ts")
  const { repositories, [Symbol.asyncDispose]: close } = await reader.readPostgres(url)
  const description = { kind: "postgres" as const, id: await repositories.origin.identity() }
  return {
    description,
    repositories,
    async withoutImages(absent) {
      const needed = new Set<string>()
      for (const sha256 of absent) if (await repositories.images.read(sha256)) needed.add(sha256)
      return { database: description, needed }
    },
    [Symbol.asyncDispose]: close,
  }
}
