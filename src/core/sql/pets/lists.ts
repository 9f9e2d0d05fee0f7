import { PetStatus } from "../../domain/pets/contract.ts"
import type { PetFilter, PetStore, SortedPetPage } from "../../domain/pets/store.ts"
import { type Cursor, cursorAt } from "../../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, directionOf, directions, inBothDirections } from "../direction.ts"
import { refuseDamaged } from "../hashes/hashes.ts"
import { type Chunk, type Find, readTextPage } from "../pages/page.ts"
import { type SqlConnection, word } from "../statement.ts"
import { findByLabel } from "./by-label.ts"
import { findByLabels } from "./by-labels.ts"
import { findByName, nameStart } from "./by-name.ts"
import { pageAlong, type StatusRow, toStatusRow, walkAlong } from "./each-status.ts"
import { nameKey } from "./name-key.ts"

const { start: newest } = directions.descending
const everyStatus = toStatusRow(PetStatus.enum)

/** The lists of pets, each read along one index. */
export const petLists = (db: SqlConnection): Pick<PetStore, "list" | "byStatus" | "byTags"> => ({
  list: (filter, page) => {
    const { sort } = filter
    const byName = sort === "name" || sort === "-name"
    return refuseDamaged(db, "pets", byName ? listByName(db, filter, sort, page) : listById(db, filter, sort, page))
  },
  byStatus: (statuses, { before = newest, limit }) =>
    refuseDamaged(db, "pets", readTextPage(findByStatus(db, toStatusRow(statuses), "descending"), before, limit)),
  byTags: (names, { before = newest, limit }) =>
    refuseDamaged(db, "pets", readTextPage(findByLabel(db, "tags", names, everyStatus, "descending"), before, limit)),
})

type SortedPage = { limit: number; cursor: Cursor | undefined }

function listById(
  db: SqlConnection,
  { statuses, categories, tags }: PetFilter,
  sort: "id" | "-id",
  { limit, cursor }: SortedPage,
): Awaitable<SortedPetPage> {
  const direction = directionOf(sort)
  const wanted = toStatusRow(statuses)
  const find = findById(db, { categories, tags }, wanted, direction)
  const reading = readTextPage(find, cursor?.id ?? directions[direction].start, limit)
  return andThen(sort, reading, (sort, { next, ...page }) => ({ ...page, next: cursorAt(sort, next) }))
}

function findById(
  db: SqlConnection,
  { categories, tags }: Pick<PetFilter, "categories" | "tags">,
  wanted: StatusRow,
  direction: Direction,
): Find<number> {
  if (categories && tags) return findByLabels(db, { categories, tags }, wanted, direction)
  if (categories) return findByLabel(db, "categories", categories, wanted, direction)
  return tags ? findByLabel(db, "tags", tags, wanted, direction) : findByStatus(db, wanted, direction)
}

function listByName(
  db: SqlConnection,
  { statuses, name = "" }: PetFilter,
  sort: "name" | "-name",
  { limit, cursor }: SortedPage,
): Awaitable<SortedPetPage> {
  const direction = directionOf(sort)
  const prefix = nameKey(name)
  const start = nameStart(prefix, direction, cursor !== undefined && "key" in cursor ? cursor : undefined)
  const reading = readTextPage(findByName(db, toStatusRow(statuses), prefix, direction), start, limit)
  return andThen(sort, reading, (sort, { next, ...page }) => ({ ...page, next: next && { sort, ...next } }))
}

type StatusPage = StatusRow & { after: number; limit: number; bytesMax: number }

const pets = { table: word("pets"), petId: word("id") }

// Reads each status only as far as the page needs.
const byStatus = inBothDirections((words) =>
  pageAlong<StatusPage>(pets, words, walkAlong<StatusPage>(word("id, json"), pets, words)),
)

const findByStatus =
  (db: SqlConnection, statuses: StatusRow, direction: Direction): Find<number> =>
  (after, limit, bytesMax) =>
    db.one(byStatus[direction], { ...statuses, after, limit, bytesMax }) as Awaitable<Chunk<number>>
