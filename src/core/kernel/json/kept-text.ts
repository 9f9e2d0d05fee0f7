import type { Awaitable } from "../flow/awaitable.ts"
import { andThen } from "../flow/awaitable.ts"
import { fromJson, type Json, json, jsonArray } from "./json.ts"

/** Bounds the bytes of the texts that it keeps. */
type TextKeeper = { grow(bytes: number): void }

/** What identifies a representation besides the stored JSON, such as XML: the schema that it is written by, or a symbol. */
type Representation = object | symbol

type Kept = { as: Representation; text: KeptText; next: Kept | undefined }

/** Overhead of a text and of the entry that leads to it, in bytes. */
const entryBytes = 150

/** The text of an item that a store keeps until the item changes, with the other representations of it that were needed. */
export class KeptText {
  readonly text: string
  /** Its bytes in UTF-8. */
  readonly bytes: number
  readonly #keeper: TextKeeper
  #others: Kept | undefined

  constructor(text: string, bytes: number, keeper: TextKeeper) {
    this.text = text
    this.bytes = bytes
    this.#keeper = keeper
  }

  find(as: Representation): KeptText | undefined {
    let other = this.#others
    while (other !== undefined && other.as !== as) other = other.next
    return other?.text
  }

  /** Keeps another representation; undefined is one with the same text. */
  keep(as: Representation, text: string | undefined): KeptText {
    const known = this.find(as)
    if (known) return known
    const kept = text === undefined ? this : new KeptText(text, utf8.encode(text).length, this.#keeper)
    this.#others = { as, text: kept, next: this.#others }
    this.#keeper.grow(kept === this ? entryBytes : kept.size)
    return kept
  }

  /** Its bytes in memory with all representations: a text with any character above U+00FF takes two for each. */
  get size(): number {
    let size = entryBytes + (this.bytes === this.text.length ? this.bytes : 2 * this.text.length)
    for (let other = this.#others; other; other = other.next) size += other.text === this ? entryBytes : other.text.size
    return size
  }
}

const utf8 = new TextEncoder()

/** The text of a JSON array, and the texts of its items if the store keeps them. */
export type TextList<Items> = { json: Json<Items>; texts?: readonly KeptText[] | undefined }

/** Writes these items in another JSON representation; undefined for one whose text is the same. */
type Write<T, U> = (items: T[]) => Awaitable<readonly (Json<U> | undefined)[]>

/** The list in another JSON representation, for which `write` gets the items that are not kept as such. */
export function listAs<T, U>(list: TextList<T[]>, as: Representation, write: Write<T, U>): Awaitable<TextList<U[]>> {
  const { texts } = list
  if (texts === undefined) return listUnkept(fromJson(list.json), write)
  const unknown = texts.filter((text) => text.find(as) === undefined)
  const written = unknown.length === 0 ? [] : write(unknown.map(({ text }) => fromJson(text as Json<T>)))
  return andThen(texts, written, (texts, written) => {
    for (const [n, text] of unknown.entries()) text.keep(as, written[n])
    return joinTexts(texts.map((text) => text.find(as) as KeptText))
  })
}

/** The JSON array of these texts. */
export const joinTexts = (texts: readonly KeptText[]): TextList<never> => ({
  json: `[${texts.map(({ text }) => text).join(",")}]` as Json<never>,
  texts,
})

const listUnkept = <T, U>(items: T[], write: Write<T, U>): Awaitable<TextList<U[]>> =>
  andThen(items, write(items), (items, written) => ({
    json: jsonArray(written.map((text, n) => text ?? (json(items[n]) as Json<never>))),
  }))
