// Decision: docs/decisions/storage-sqlite.md#the-database-assembles-the-text-of-a-page

import { pageBytesMax, pageLimitDefault } from "../../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { createYielder, type Yielder } from "../../kernel/flow/yielder.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { KeptText, TextList } from "../../kernel/json/kept-text.ts"

/** Rows read at once, as part of a page. */
export const rowsAtOnce = pageLimitDefault

/** Consecutive items of a list. */
export type Chunk<Position> = {
  /** The JSON array of the items up to `bytesMax`, in list order; null when there is none. */
  items: string | null
  /** The texts of the items, if the connection keeps them. */
  texts?: readonly KeptText[]
  count: number
  /** Bytes of the longest item; null when there is none. */
  longest: number | null
  last: Position | null
  /** Whether the list continues: 1 or 0. */
  more: number
  /** The page ends with these items, although the list continues after `last`. */
  ends?: true
}

/** Finds up to `limit` pets after a position, without reading any text over `bytesMax` bytes. */
export type Find<Position> = (after: Position, limit: number, bytesMax: number) => Awaitable<Chunk<Position>>

type PageText<Position> = TextList<never> & { next: Position | undefined }

type Reading<Position> = {
  find: Find<Position>
  limit: number
  after: Position
  arrays: string[]
  /** The texts of all items so far; undefined once some are not kept. */
  texts: readonly KeptText[] | undefined
  count: number
  /** Bytes left, including a comma for each item. */
  bytesLeft: number
  turns: Yielder
}

/**
 * The text of a page of up to `limit` items, read in stretches. It ends before it would exceed `pageBytesMax`, and reads
 * no more than that: the longest item determines the length of a stretch.
 */
export const readTextPage = <Position>(
  find: Find<Position>,
  after: Position,
  limit: number,
): Awaitable<PageText<Position>> =>
  nextChunk({
    find,
    limit,
    after,
    arrays: [],
    texts: [],
    count: 0,
    bytesLeft: pageBytesMax - "[".length,
    turns: createYielder(),
  })

const nextChunk = <Position>(reading: Reading<Position>): Awaitable<PageText<Position>> =>
  readChunk(reading, Math.min(rowsAtOnce, reading.limit - reading.count))

/** Reads so many items, or fewer when they might not fit. */
function readChunk<Position>(reading: Reading<Position>, rows: number): Awaitable<PageText<Position>> {
  const bytesMax = Math.floor(reading.bytesLeft / rows) - ",".length
  return andThen(reading, reading.find(reading.after, rows, bytesMax), (_, stretch) => {
    const { longest, last } = stretch
    if (longest === null || last === null) return pageOf(reading, false)
    if (longest > bytesMax) {
      // A single item always fits an empty page.
      if (rows === 1) return pageOf(reading, true)
      const fitting = Math.floor(reading.bytesLeft / (longest + ",".length))
      return readChunk(reading, Math.max(fitting, Math.floor(rows / 2)))
    }
    return take(reading, stretch as Found<Position>)
  })
}

/** A stretch with items. Never copied: spreading a row of SQLite takes as long as sending it. */
type Found<Position> = Chunk<Position> & { items: string; last: Position }

function take<Position>(
  reading: Reading<Position>,
  { items, texts, count, last, more, ends }: Found<Position>,
): Awaitable<PageText<Position>> {
  if (count > 0) reading.arrays.push(items)
  reading.texts = reading.texts && texts && (reading.texts.length === 0 ? texts : [...reading.texts, ...texts])
  reading.count += count
  reading.after = last
  if (more === 0 || ends || reading.count === reading.limit) return pageOf(reading, more !== 0)
  reading.bytesLeft -= Buffer.byteLength(items) - "[".length
  return reading.turns.isOver() ? reading.turns.next().then(() => nextChunk(reading)) : nextChunk(reading)
}

const pageOf = <Position>({ arrays, texts, after }: Reading<Position>, hasMore: boolean): PageText<Position> => ({
  json: joinArrays(arrays) as Json<never>,
  texts,
  next: hasMore ? after : undefined,
})

/** Most pages are one stretch, whose text is not copied. */
function joinArrays(arrays: readonly string[]): string {
  const [only = "[]"] = arrays
  return arrays.length > 1 ? `[${arrays.map((text) => text.slice(1, -1)).join(",")}]` : only
}
