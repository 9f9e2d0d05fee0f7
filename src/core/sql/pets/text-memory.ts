// Decision: docs/decisions/storage-sqlite.md#texts-of-pets-are-remembered-until-they-change

import type { PageOfPets, Row } from "../statement.ts"
import type { Chunk } from "./page.ts"
import { type RestRow, splitIds } from "./texts.ts"

/** Overhead of an entry in bytes. */
const entryBytes = 150

type Text = { json: string; bytes: number }

/** Reads the ids of a page, and the texts of these pets up to `bytesMax` bytes. */
type Reader = {
  walk(values: Row): string | null | undefined
  rest(values: { ids: string; bytesMax: number }): RestRow[]
}

/** Caches the texts of pets by id, for the readers of one snapshot. What a transaction changes is forgotten when they see its commit. */
export class TextMemory {
  /** Two generations, each of half the size: removing one entry at a time makes a map search for the oldest one. */
  #young = new Map<number, Text>()
  #old = new Map<number, Text>()
  readonly #youngBytesMax: number
  #youngBytes = 0
  /** Pets that transactions have changed, and those of the commit that readers do not see yet. */
  #changed = new Set<number>()
  #committing = new Set<number>()
  #isReplaced = false

  constructor(bytesMax: number) {
    this.#youngBytesMax = bytesMax / 2
  }

  /** A transaction has changed this pet; that it is rolled back does not matter. */
  change(id: number): void {
    this.#changed.add(id)
  }

  /** All pets are replaced. */
  replace(): void {
    this.#isReplaced = true
  }

  /** Before a commit, while no other transaction has changes. */
  commit(): void {
    for (const id of this.#changed) this.#committing.add(id)
    this.#changed = new Set()
  }

  /** Readers see the commit from now on. */
  release(): void {
    if (this.#isReplaced) {
      this.#old = new Map()
      this.#startYoung()
    }
    this.#isReplaced = false
    for (const id of this.#committing) this.#forget(id)
    this.#committing = new Set()
  }

  /**
   * The row that the statement of a page has: its ids are read, and the texts that are not known. Undefined where most are not and
   * others would be forgotten for them, as on a walk through a large store: the statement itself costs less.
   */
  page({ walk }: PageOfPets, values: Row, read: Reader): Partial<Chunk<number>> | undefined {
    const limit = Number(values.limit)
    const ids = walk
      ? splitIds(read.walk({ ...values, limit: limit + 1 }))
      : (JSON.parse(String(values.ids)) as number[])
    const here = walk ? ids.slice(0, limit) : ids
    const found = here.map((id) => this.#young.get(id) ?? this.#old.get(id))
    const unknown = here.filter((_, n) => found[n] === undefined)
    if (2 * unknown.length > here.length && this.#isFull) return undefined
    if (unknown.length > 0) {
      const rest = this.#learn(read.rest({ ids: JSON.stringify(unknown), bytesMax: Number(values.bytesMax) }))
      for (const [n, id] of here.entries()) found[n] ??= rest.get(id)
    }
    const texts = found as Text[]
    const page = {
      count: here.length,
      longest: texts.length === 0 ? null : texts.reduce((longest, { bytes }) => Math.max(longest, bytes), 0),
      items: texts.length === 0 ? null : `[${texts.map(({ json }) => json).join(",")}]`,
    }
    return walk ? { ...page, last: here.at(-1) ?? null, more: ids.length > limit ? 1 : 0 } : page
  }

  get #isFull(): boolean {
    return this.#old.size > 0 && this.#youngBytes > 0.9 * this.#youngBytesMax
  }

  /** Texts that are too long for the page are not there, and the page does not use the others either. */
  #learn(rows: readonly RestRow[]): Map<number, Text> {
    const learnt = new Map<number, Text>()
    for (const { id, json, bytes } of rows) {
      const text = { json: json ?? "", bytes }
      learnt.set(id, text)
      if (json !== null) this.#remember(id, text)
    }
    return learnt
  }

  #remember(id: number, text: Text): void {
    if (this.#youngBytes >= this.#youngBytesMax) {
      this.#old = this.#young
      this.#startYoung()
    }
    this.#young.set(id, text)
    this.#youngBytes += sizeOf(text)
  }

  #startYoung(): void {
    this.#young = new Map()
    this.#youngBytes = 0
  }

  #forget(id: number): void {
    const text = this.#young.get(id)
    if (text) this.#youngBytes -= sizeOf(text)
    this.#young.delete(id)
    this.#old.delete(id)
  }
}

/** Bytes in memory: a text with any character above U+00FF takes two for each. */
const sizeOf = ({ json, bytes }: Text): number => entryBytes + (bytes === json.length ? bytes : 2 * json.length)
