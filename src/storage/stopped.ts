import type { Repositories } from "../domain/ports/store.ts"
import type { Locations } from "./blobs/locations.ts"
import { requireKnown } from "./sql/migrations.ts"
import { findDamage } from "./sqlite/description.ts"
import { versionOf } from "./sqlite/open.ts"
import { openSqliteReader } from "./sqlite/reader.ts"
import { toSqliteStartError } from "./sqlite/unusable.ts"

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
  const { openPostgresReader } = await import("./postgres/open.ts")
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
