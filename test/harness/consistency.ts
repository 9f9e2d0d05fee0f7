import { copyFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Pet } from "../../src/core/domain/pets/contract.ts"
import { nameKey } from "../../src/core/sql/pets/name-key.ts"
import { classicPets } from "../../src/parts/sandbox/seeds/pets.ts"
import { temporaryDirectory } from "./directory.ts"

type EventData = { id: number; name: string; status: string }

/** The pets in a database file, and every contradiction in it. */
type Findings = {
  pets: Map<number, Pet>
  /** Number of `pet.created` rows by pet id. */
  created: Map<number, number>
  contradictions: string[]
}

/** Reads a copy of the database, so that after a crash the service recovers the original; `log` is its write-ahead log. */
export function examine(databaseFile: string, log = `${databaseFile}-wal`): Findings {
  using directory = temporaryDirectory()
  const copy = join(directory.path, "copy.db")
  copyFileSync(databaseFile, copy)
  if (existsSync(log)) copyFileSync(log, `${copy}-wal`)
  const db = new DatabaseSync(copy)
  try {
    const contradictions = [
      ...db
        .prepare("PRAGMA integrity_check")
        .all()
        .map((row) => String(row.integrity_check))
        .filter((message) => message !== "ok"),
      ...db
        .prepare("PRAGMA foreign_key_check")
        .all()
        .map((row) => `dangling: ${JSON.stringify(row)}`),
    ]
    const rows = db.prepare("SELECT id, status, category_id, name_key, json FROM pets").all() as {
      id: number
      status: string
      category_id: number | null
      name_key: string
      json: string
    }[]
    const pets = new Map(rows.map(({ id, json }) => [id, JSON.parse(json) as Pet]))
    for (const { id, status, category_id, name_key } of rows)
      if (
        pets.get(id)?.id !== id ||
        pets.get(id)?.status !== status ||
        (pets.get(id)?.category?.id ?? null) !== category_id ||
        nameKey(pets.get(id)?.name ?? "") !== name_key
      )
        contradictions.push(`pet ${id}: columns and JSON differ`)
    return {
      pets,
      created: compareEvents(db, pets, contradictions),
      contradictions: [...contradictions, ...compareLabels(db, pets)],
    }
  } finally {
    db.close()
  }
}

/** Replays the events: the result must be exactly the stored pets. */
function compareEvents(db: DatabaseSync, pets: Map<number, Pet>, contradictions: string[]): Map<number, number> {
  const created = new Map<number, number>()
  // Seed pets of a sandbox have no events.
  const isSandbox = db.prepare("SELECT 1 FROM origin WHERE profile = 'sandbox'").get() !== undefined
  const replayed = new Map<number, EventData>(
    isSandbox ? classicPets.map(({ name, status }, n) => [n + 1, { id: n + 1, name, status }]) : [],
  )
  for (const { kind, json } of db.prepare("SELECT kind, json FROM events WHERE kind LIKE 'pet.%' ORDER BY id").all()) {
    const { data } = JSON.parse(String(json)) as { data: EventData }
    if ((kind === "pet.created") === replayed.has(data.id))
      contradictions.push(`${kind} of pet ${data.id} out of order`)
    if (kind === "pet.created") created.set(data.id, (created.get(data.id) ?? 0) + 1)
    if (kind === "pet.deleted") replayed.delete(data.id)
    else replayed.set(data.id, data)
  }
  for (const id of replayed.keys()) if (!pets.has(id)) contradictions.push(`events without pet ${id}`)
  for (const [id, { name, status }] of pets) {
    const last = replayed.get(id)
    if (!last) contradictions.push(`pet ${id} without events`)
    else if (last.name !== name || last.status !== status) contradictions.push(`pet ${id} differs from its last event`)
  }
  return created
}

function compareLabels(db: DatabaseSync, pets: Map<number, Pet>): string[] {
  const names = (table: "categories" | "tags") =>
    new Map(
      db
        .prepare(`SELECT id, name FROM ${table}`)
        .all()
        .map((row) => [row.id, row.name]),
    )
  const categories = names("categories")
  const tags = names("tags")
  const indexed = new Set(
    db
      .prepare("SELECT tag_id, status, pet_id FROM pet_tags")
      .all()
      .map(({ tag_id, status, pet_id }) => `tag ${tag_id} of ${status} pet ${pet_id}`),
  )
  const stored = new Set(
    [...pets].flatMap(([id, { status, tags }]) => tags.map((tag) => `tag ${tag.id} of ${status} pet ${id}`)),
  )
  const differing = [...indexed.symmetricDifference(stored)].map((row) => `${row}: pets and index differ`)

  const unknown = [...pets].flatMap(([id, pet]) => {
    const problems: string[] = []
    if (pet.category && categories.get(pet.category.id) !== pet.category.name)
      problems.push(`pet ${id}: unknown category`)
    if (pet.tags.some((tag) => tags.get(tag.id) !== tag.name)) problems.push(`pet ${id}: unknown tag`)
    return problems
  })
  return [...differing, ...unknown]
}
