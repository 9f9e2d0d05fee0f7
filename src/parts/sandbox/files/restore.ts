// Decision: docs/decisions/sandbox.md#a-sandbox-file-has-rows-not-a-database

import { statfsSync } from "node:fs"
import { StoreUnavailable, type TableRow } from "../../../core/domain/ports/store.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { parseText } from "../../../core/server/reading/json-text.ts"
import { withHash } from "../../../core/sql/hashes/hash-of.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { isFullError } from "../../../core/sqlite/reserve.ts"
import {
  createDatabase,
  type MovedTable,
  movedTables,
  RowRefused,
  readTables,
  type TableFiller,
} from "../../../core/sqlite/tables.ts"
import { refusalOfRow } from "./check-rows.ts"
import { JsonScanner } from "./json-scanner.ts"
import { refuseData } from "./refuse-data.ts"
import { restoreImages } from "./restore-images.ts"
import type { SandboxLocations } from "./write.ts"

/** Where a sandbox file is restored to, and how many bytes of each it may fill. */
type RestoredTo = SandboxLocations & { databaseBytesMax?: number; imageBytesMax?: number }

/** A body without the rows and images in it, and the bytes of the images. */
type RestOfBody = { rest: Buffer; imageBytes: number }

/**
 * Makes the database and the images of the sandbox file in a body, as that arrives, where `open` says. Of the rest of the body there may
 * be so many bytes. Throws the problem of data that no sandbox can have.
 */
export async function restoreSandbox(
  source: AsyncIterable<Uint8Array>,
  restBytesMax: number,
  open: () => Promise<RestoredTo>,
): Promise<RestOfBody> {
  const body = new JsonScanner(source, restBytesMax)
  using opened = new DisposableStack()
  let restoring: Restoring | undefined
  const restore = async (section: "tables" | "images", schema: unknown) => {
    requireSchema(schema)
    restoring ??= opened.use(startRestoring(await open()))
    await restoring[section](body)
  }
  try {
    if (await body.isAtObject()) await readMembers(body, restore)
  } catch (error) {
    // What is kept is parsed as any body, and refused for its own reason.
    if (body.isSkipping || !(error instanceof Problem) || error.code !== "malformed-json") throw error
    return { rest: await body.rest(), imageBytes: 0 }
  }
  const rest = await body.rest()
  const imageBytes = (await restoring?.finish()) ?? 0
  return { rest, imageBytes }
}

type Restore = (section: "tables" | "images", schema: unknown) => Promise<void>

/** Restores what is in the member `data`, and reads past all others. */
async function readMembers(body: JsonScanner, restore: Restore): Promise<void> {
  for await (const name of body.members()) {
    if (name !== "data" || !(await body.isAtObject())) await body.value()
    else {
      let schema: unknown
      for await (const member of body.members()) {
        const section = member === "tables" || member === "images" ? member : undefined
        if (section && (await body.isAtObject())) await body.skip(() => restore(section, schema))
        else if (member === "schema") schema = parseText(await body.value())
        else await body.value()
      }
    }
  }
}

/** Throws the 422 for tables of another version, which have other columns. What is no number is refused with the rest. */
function requireSchema(schema: unknown): void {
  if (typeof schema === "number" && schema !== migrations.length)
    refuseData("schema", `is ${schema}, and this service has ${migrations.length}: use the version that made the file`)
}

type Restoring = Disposable & {
  tables(body: JsonScanner): Promise<void>
  images(body: JsonScanner): Promise<void>
  /** Requires that everything is there. Returns the bytes of the images. */
  finish(): Promise<number>
}

function startRestoring(to: RestoredTo): Restoring {
  const database = createDatabase(to.databaseFile, to.databaseBytesMax)
  const images = restoreImages(to.imageDirectory, to.imageBytesMax)
  const read = new Set<string>()

  return {
    async tables(body) {
      for await (const name of body.members()) {
        const table =
          movedTables().find((one) => one.name === name) ?? refuseData(`tables/${name.slice(0, 64)}`, "is no table")
        if (read.has(name) || !(await body.isAtArray()))
          refuseData(`tables/${name}`, read.has(name) ? "is there twice" : "must be an array")
        read.add(name)
        await refuseRows(to, () => readRows(body, table, database))
      }
    },
    images: (body) => images.read(body),
    async finish() {
      const missing = movedTables().find(({ name }) => !read.has(name))
      if (missing) refuseData(`tables/${missing.name}`, "is missing")
      await refuseRows(to, () => database.finish())
      return images.requireComplete(readTables(to.databaseFile))
    },
    [Symbol.dispose]: database[Symbol.dispose],
  }
}

/** Adds the rows of a table behind the names of its columns. */
async function readRows(body: JsonScanner, { name, columns }: MovedTable, database: TableFiller): Promise<void> {
  const turns = createYielder()
  let count = 0
  for await (const n of body.elements()) {
    const row = parseText(await body.value(), `row ${n} of ${name}`)
    if (n === 0) requireColumns(name, columns, row)
    // A person may have edited the text.
    else database.add(name, withHash(name, columns, requireRow(name, columns, n, row)), n - 1)
    count++
    if (turns.isOver()) await turns.next()
  }
  if (count === 0) requireColumns(name, columns, undefined)
}

function requireColumns(table: string, columns: readonly string[], row: unknown): void {
  if (!Array.isArray(row) || row.join() !== columns.join())
    refuseData(`tables/${table}/0`, `must be the names of the columns: ${columns.join(", ")}`)
}

function requireRow(table: string, columns: readonly string[], n: number, row: unknown): TableRow {
  const path = `tables/${table}/${n}`
  if (!isRow(row)) return refuseData(path, "must be an array of texts, integers and null")
  const refusal =
    row.length === columns.length ? refusalOfRow(table, columns, row) : `must have ${columns.length} values`
  return refusal === undefined ? row : refuseData(path, refusal)
}

const isRow = (value: unknown): value is TableRow =>
  Array.isArray(value) && value.every((cell) => cell === null || typeof cell === "string" || Number.isInteger(cell))

/** Throws the 422 for a row that a table does not accept, and the 413 when there is no space for it. */
async function refuseRows({ databaseFile, databaseBytesMax }: RestoredTo, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof RowRefused)) throw error
    if (!isFullError(error.cause))
      refuseData(`tables/${error.table}/${error.row + 1}`, `cannot be stored: ${error.message}`)
    const { bavail, bsize } = statfsSync(databaseFile)
    if (databaseBytesMax === undefined || bavail * bsize < databaseBytesMax)
      throw new StoreUnavailable("the disk is full", { cause: error })
    throw new Problem(
      "body-too-large",
      `The rows of the file need more than the ${databaseBytesMax / 1024 ** 2} MiB that a sandbox has`,
    )
  }
}
