// Decision: docs/decisions/storage-sqlite.md#the-database-assembles-the-text-of-a-page

import type { Pet } from "../../domain/pets/contract.ts"
import { pageBytesMax, pageLimitDefault } from "../../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { createYielder, type Yielder } from "../../kernel/flow/yielder.ts"
import type { Json } from "../../kernel/json/json.ts"

/** Pets read at once, as part of a page. */
export const rowsAtOnce = pageLimitDefault

/** Consecutive pets of a list. */
export type Chunk<Position> = {
  /** The JSON array of the pets up to `bytesMax`, in list order; null when there is none. */
  items: string | null
  count: number
  /** Bytes of the longest pet; null when there is none. */
  longest: number | null
  last: Position | null
  /** Whether the list continues: 1 or 0. */
  more: number
  /** The page ends with these pets, although the list continues after `last`. */
  ends?: true
}

/** Finds up to `limit` pets after a position, without reading any text over `bytesMax` bytes. */
export type Find<Position> = (after: Position, limit: number, bytesMax: number) => Awaitable<Chunk<Position>>

type PageText<Position> = { json: Json<Pet[]>; next: Position | undefined }

type Reading<Position> = {
  find: Find<Position>
  limit: number
  after: Position
  texts: string[]
  count: number
  /** Bytes left, including a comma for each pet. */
  bytesLeft: number
  turns: Yielder
}

/**
 * The text of a page of up to `limit` pets, read in stretches. It ends before it would exceed `pageBytesMax`, and reads
 * no more than that: the longest pet determines the length of a stretch.
 */
export const readPetPage = <Position>(
  find: Find<Position>,
  after: Position,
  limit: number,
): Awaitable<PageText<Position>> =>
  nextChunk({
    find,
    limit,
    after,
    texts: [],
    count: 0,
    bytesLeft: pageBytesMax - "[".length,
    turns: createYielder(),
  })

const nextChunk = <Position>(reading: Reading<Position>): Awaitable<PageText<Position>> =>
  readChunk(reading, Math.min(rowsAtOnce, reading.limit - reading.count))

/** Reads so many pets, or fewer when they might not fit. */
function readChunk<Position>(reading: Reading<Position>, rows: number): Awaitable<PageText<Position>> {
  const bytesMax = Math.floor(reading.bytesLeft / rows) - ",".length
  return andThen(reading, reading.find(reading.after, rows, bytesMax), (_, stretch) => {
    const { longest, last } = stretch
    if (longest === null || last === null) return pageOf(reading, false)
    if (longest > bytesMax) {
      // A single pet always fits an empty page.
      if (rows === 1) return pageOf(reading, true)
      const fitting = Math.floor(reading.bytesLeft / (longest + ",".length))
      return readChunk(reading, Math.max(fitting, Math.floor(rows / 2)))
    }
    return take(reading, stretch as Found<Position>)
  })
}

/** A stretch with pets. Never copied: spreading a row of SQLite takes as long as sending it. */
type Found<Position> = Chunk<Position> & { items: string; last: Position }

function take<Position>(
  reading: Reading<Position>,
  { items, count, last, more, ends }: Found<Position>,
): Awaitable<PageText<Position>> {
  if (count > 0) reading.texts.push(items)
  reading.count += count
  reading.after = last
  if (more === 0 || ends || reading.count === reading.limit) return pageOf(reading, more !== 0)
  reading.bytesLeft -= Buffer.byteLength(items) - "[".length
  return reading.turns.isOver() ? reading.turns.next().then(() => nextChunk(reading)) : nextChunk(reading)
}

const pageOf = <Position>({ texts, after }: Reading<Position>, hasMore: boolean): PageText<Position> => ({
  json: joinArrays(texts) as Json<Pet[]>,
  next: hasMore ? after : undefined,
})

/** Most pages are one stretch, whose text is not copied. */
function joinArrays(texts: readonly string[]): string {
  const [only = "[]"] = texts
  return texts.length > 1 ? `[${texts.map((text) => text.slice(1, -1)).join(",")}]` : only
}
