import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Table } from "../../../core/sql/tables.ts"
import { openSqliteSource, openSqliteTarget } from "../../../core/sqlite/copy-ends.ts"
import { newestTables } from "../../../core/sqlite/tables.ts"
import type { Locations } from "../../../core/storage/locations.ts"
import { openBlobs } from "../../replicas/storage.ts"
import type { Report } from "../contract.ts"
import { copyRows, tablesToCopy } from "./copy-database.ts"
import { copyImages } from "./copy-images.ts"

type Location = Locations["database"]
/** The source or target of a copy; images are copied only when both name a storage. */
type Ends = { database: Location; images: Locations | undefined }

/**
 * Copies images and database to an empty target of any kind; no service may use either. The database is copied last, and no
 * service starts on it before it is complete. Returns the rows of each table and the number of images.
 */
export async function copyInstallation(
  from: Ends,
  to: Ends,
  now: number,
  report: Report,
): Promise<{ rows: Record<string, number>; images?: number }> {
  const tables = tablesToCopy(newestTables())
  await using source = await openSource(from.database)
  const id = (await source.query("SELECT id FROM identity"))[0]?.[0]
  if (typeof id !== "string")
    throw new CannotStart("The source database has no identity: no service has ever started on it")
  await using target = await openTarget(to.database, `copy of ${id}`, tables)
  const images =
    from.images && to.images
      ? await copyImages(
          { database: source, identity: id, from: await openBlobs(from.images), to: await openBlobs(to.images), now },
          report,
        )
      : undefined
  const rows = await copyRows(source, target, tables, report)
  return { rows, ...(images !== undefined && { images }) }
}

async function openSource(location: Location) {
  if (location.kind === "sqlite") return openSqliteSource(location.file)
  const { openPostgresSource } = await import("../../replicas/postgres/copy-ends.ts")
  return openPostgresSource(location.url)
}

async function openTarget(location: Location, source: string, tables: readonly Table[]) {
  if (location.kind === "sqlite") return openSqliteTarget(location.file, source, tables)
  const { openPostgresTarget } = await import("../../replicas/postgres/copy-ends.ts")
  return openPostgresTarget(location.url, source, tables)
}
