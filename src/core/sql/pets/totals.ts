import type { PetStore } from "../../domain/pets/store.ts"
import { type ListTotal, totalOf } from "../../kernel/endpoint/total.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import {
  elements,
  type Fragment,
  fragment,
  inDialect,
  type SqlConnection,
  type Statement,
  sql,
  word,
} from "../statement.ts"
import { countPets } from "./inventory.ts"
import { keyAbove, nameKey } from "./name-key.ts"

type LabelRow = { wanted: string; statuses: string; max: number }

/** Pets with one of the wanted tags and one of these categories. */
type BothRow = LabelRow & { categories: string }

type NameRow = { key: string; end: string; statuses: string; max: number }

type Counted = { rows: number; count: number }

/**
 * Counts entries of an index of labels, and the pets among them, or those that `where` chooses: a pet has one entry for each of its
 * tags.
 */
const ofLabels = <Row extends LabelRow>(
  labels: string,
  table: string,
  labelId: string,
  petId: string,
  where: Fragment<Row> = fragment``,
) => {
  const [from, label, pet] = [word(table), word(labelId), word(petId)]
  const ids = fragment<Row>`SELECT id FROM ${word(labels)} WHERE name IN (${elements("wanted")})`
  const entries = inDialect<Row>({
    sqlite: fragment`
      SELECT ${pet} AS id FROM ${from} WHERE ${label} IN (${ids}) AND status IN (${elements("statuses")}) LIMIT ${"max"}`,
    // Ordered, because PostgreSQL would otherwise scan the table for a status that it takes for a common one.
    postgres: fragment`
      SELECT entry.id FROM (${ids}) AS label, (${elements("statuses")}) AS wanted, LATERAL (
        SELECT ${pet} AS id FROM ${from} WHERE ${label} = label.id AND status = wanted.value
        ORDER BY ${pet} LIMIT ${"max"}
      ) AS entry`,
  })
  return sql<Row, Counted>`
    SELECT count(*) AS "rows", count(DISTINCT id) ${where} AS "count" FROM (
      SELECT id FROM (${entries}) AS entries LIMIT ${"max"}
    ) AS counted`
}

const totals = {
  categories: ofLabels("categories", "pets", "category_id", "id"),
  tags: ofLabels("tags", "pet_tags", "tag_id", "pet_id"),
  both: ofLabels<BothRow>(
    "tags",
    "pet_tags",
    "tag_id",
    "pet_id",
    fragment`FILTER (WHERE EXISTS (
      SELECT 1 FROM pets JOIN categories ON categories.id = category_id
      WHERE pets.id = counted.id AND categories.name IN (${elements("categories")})
    ))`,
  ),
}

// One bound at each end, in the order of the index, as in the list of these pets.
const ofName = sql<NameRow, { count: number }>`
  SELECT coalesce(sum((
    SELECT count(*) FROM (
      SELECT 1 FROM pets
      WHERE status = wanted.value AND (name_key, id) > (${"key"}, 0) AND name_key < ${"end"}
      ORDER BY name_key, id LIMIT ${"max"}
    ) AS counted
  )), 0) AS "count"
  FROM (${elements("statuses")}) AS wanted`

/** Counts lists of pets along the indexes that serve them. */
export const petTotals = (db: SqlConnection): Pick<PetStore, "total"> => ({
  total(filter, max) {
    const statuses = new Set(filter.statuses)
    const bounds = { statuses: JSON.stringify([...statuses]), max: max + 1 }
    const { categories, tags, name } = filter
    if (categories && tags) {
      const wanted = { wanted: JSON.stringify(tags), categories: JSON.stringify(categories) }
      return countLabels(db, totals.both, { ...bounds, ...wanted })
    }
    if (categories) return countLabels(db, totals.categories, { ...bounds, wanted: JSON.stringify(categories) })
    if (tags) return countLabels(db, totals.tags, { ...bounds, wanted: JSON.stringify(tags) })
    if (name !== undefined) return countNames(db, { ...bounds, key: nameKey(name), end: keyAbove(nameKey(name)) })
    return andThen(statuses, countPets(db), (wanted, pets) => ({
      count: [...wanted].reduce((sum, status) => sum + pets[status], 0),
      isExact: true,
    }))
  },
})

const countLabels = <Row extends LabelRow>(
  db: SqlConnection,
  statement: Statement<Row, Counted>,
  row: Row,
): Awaitable<ListTotal> =>
  andThen(row.max - 1, db.one(statement, row), (max, counted) => {
    const { rows, count } = counted as Counted
    return { ...totalOf(count, max), isExact: rows <= max }
  })

const countNames = (db: SqlConnection, row: NameRow): Awaitable<ListTotal> =>
  andThen(row.max - 1, db.one(ofName, row), (max, counted) => totalOf(counted?.count ?? 0, max))
