import { setImmediate } from "node:timers/promises"
import type { Pet } from "../../domain/pets/contract.ts"
import type { PetPage } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import type { Json } from "../../kernel/json.ts"
import { type Page, pageLimitDefault } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"

/** Some pets of a list that lie together. */
export type Stretch = {
  /** The JSON text of their array, in descending order of id; null when there is none. */
  items: string | null
  count: number
  /** The lowest id among them. */
  last: number | null
  /** Whether the list goes on below them: 1 or 0. */
  more: number
}

/** Finds up to `limit` pets of a list below the id `before`. */
type Find = (before: number, limit: number) => Awaitable<Stretch>

/** A page ends early once it holds this many characters of JSON, so that huge pets cannot make a huge response. */
const pageCharactersMax = 4 * 1024 * 1024
const rowsAtOnce = pageLimitDefault

/** The page's text, put together from stretches; other requests get their turn between two of them. */
export const readPetPage = ({ before = idMax + 1, limit }: Page, find: Find): Awaitable<PetPage> =>
  readOn({ find, limit, before, texts: [], count: 0, characters: 0, atOnce: rowsAtOnce })

/** A page that is being read. */
type Reading = {
  find: Find
  limit: number
  before: number
  texts: string[]
  count: number
  characters: number
  atOnce: number
}

const readOn = (reading: Reading): Awaitable<PetPage> =>
  andThen(reading, reading.find(reading.before, Math.min(reading.atOnce, reading.limit - reading.count)), take)

function take(reading: Reading, { items, count, last, more }: Stretch): Awaitable<PetPage> {
  if (items === null || last === null) return pageOf(reading, false)
  const characters = reading.characters + items.length - brackets - (count - 1)
  // The pet that fills the page is found by taking this stretch one by one.
  if (characters >= pageCharactersMax && count > 1) return readOn({ ...reading, atOnce: 1 })

  reading.texts.push(items)
  reading.characters = characters
  reading.count += count
  reading.before = last
  const isFull = reading.count === reading.limit || characters >= pageCharactersMax
  return isFull || more === 0 ? pageOf(reading, more !== 0) : setImmediate(reading).then(readOn)
}

const pageOf = ({ texts, before }: Reading, hasMore: boolean): PetPage => ({
  json: joinArrays(texts) as Json<Pet[]>,
  next: hasMore ? before : undefined,
})

const brackets = "[]".length

/** Most pages are one stretch, whose text is not even copied. */
function joinArrays(texts: readonly string[]): string {
  const [only = "[]"] = texts
  return texts.length > 1 ? `[${texts.map((text) => text.slice(1, -1)).join(",")}]` : only
}
