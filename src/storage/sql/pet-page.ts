import { setImmediate } from "node:timers/promises"
import type { Pet } from "../../domain/pets/contract.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import type { Json } from "../../kernel/json.ts"
import { rowsAtOnce } from "./each-status.ts"

/** Some pets of a list that lie together. */
export type Stretch<Place> = {
  /** The JSON text of their array, in the order of the list; null when there is none. */
  items: string | null
  count: number
  /** The place of the last of them. */
  last: Place | null
  /** Whether the list goes on behind them: 1 or 0. */
  more: number
}

/** Finds up to `limit` pets of a list behind a place in it. */
export type Find<Place> = (behind: Place, limit: number) => Awaitable<Stretch<Place>>

/** The text of a page, and the place of its last pet when there is more. */
type PageText<Place> = { json: Json<Pet[]>; next: Place | undefined }

/** A page ends early once it holds this many characters of JSON, so that huge pets cannot make a huge response. */
const pageCharactersMax = 4 * 1024 * 1024

/** The page's text, put together from stretches; other requests get their turn between two of them. */
export const readPetPage = <Place>(find: Find<Place>, behind: Place, limit: number): Awaitable<PageText<Place>> =>
  readOn({ find, limit, behind, texts: [], count: 0, characters: 0, atOnce: rowsAtOnce })

/** A page that is being read. */
type Reading<Place> = {
  find: Find<Place>
  limit: number
  behind: Place
  texts: string[]
  count: number
  characters: number
  atOnce: number
}

const readOn = <Place>(reading: Reading<Place>): Awaitable<PageText<Place>> =>
  andThen(reading, reading.find(reading.behind, Math.min(reading.atOnce, reading.limit - reading.count)), take<Place>)

function take<Place>(
  reading: Reading<Place>,
  { items, count, last, more }: Stretch<Place>,
): Awaitable<PageText<Place>> {
  if (items === null || last === null) return pageOf(reading, false)
  const characters = reading.characters + items.length - brackets - (count - 1)
  // The pet that fills the page is found by taking this stretch one by one.
  if (characters >= pageCharactersMax && count > 1) return readOn({ ...reading, atOnce: 1 })

  reading.texts.push(items)
  reading.characters = characters
  reading.count += count
  reading.behind = last
  const isFull = reading.count === reading.limit || characters >= pageCharactersMax
  return isFull || more === 0 ? pageOf(reading, more !== 0) : setImmediate(reading).then(readOn<Place>)
}

const pageOf = <Place>({ texts, behind }: Reading<Place>, hasMore: boolean): PageText<Place> => ({
  json: joinArrays(texts) as Json<Pet[]>,
  next: hasMore ? behind : undefined,
})

const brackets = "[]".length

/** Most pages are one stretch, whose text is not even copied. */
function joinArrays(texts: readonly string[]): string {
  const [only = "[]"] = texts
  return texts.length > 1 ? `[${texts.map((text) => text.slice(1, -1)).join(",")}]` : only
}
