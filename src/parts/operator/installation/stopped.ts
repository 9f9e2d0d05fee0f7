import type { Repositories } from "../../../core/domain/ports/store.ts"
import { requireKnown } from "../../../core/sql/migrations.ts"
import { findDamage } from "../../../core/sqlite/description.ts"
import { versionOf } from "../../../core/sqlite/open.ts"
import { openSqliteReader } from "../../../core/sqlite/reader.ts"
import { toSqliteStartError } from "../../../core/sqlite/unusable.ts"
import type { Locations } from "../../../core/storage/locations.ts"

type StoppedDatabase = AsyncDisposable & {
  /** The version of its schema, at most that of this program. */
  schema: number
  /** What a quick check finds wrong, a sentence each; undefined where the server's own tools check it. */
  damage: readonly string[] | undefined
  repositories: Repositories
}

/** Opens the database of a stopped service for reading. Throws CannotStart, also for an incomplete or newer database. */
export async function openStopped(database: Locations["database"]): Promise<StoppedDatabase> {
  if (database.kind === "sqlite") return openStoppedSqlite(database.file)
  const { openPostgresReader } = await import("../../replicas/postgres/open.ts")
  const found = await openPostgresReader(database.url)
  try {
    requireKnown(found.schema)
  } catch (error) {
    await found[Symbol.asyncDispose]()
    throw error
  }
  return { ...found, damage: undefined }
}

function openStoppedSqlite(file: string): StoppedDatabase {
  try {
    const schema = versionOf(file)
    requireKnown(schema)
    const damage = findDamage(file, "quick_check")
    const repositories = openSqliteReader(file)
    return { schema, damage, repositories, [Symbol.asyncDispose]: async () => repositories[Symbol.dispose]() }
  } catch (error) {
    throw toSqliteStartError(file, error)
  }
}
