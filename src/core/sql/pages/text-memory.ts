// Decision: docs/decisions/storage-sqlite.md#texts-are-remembered-until-they-change

import { joinTexts, KeptText } from "../../kernel/json/kept-text.ts"
import type { PageOfTexts, Row, TextTable } from "../statement.ts"
import type { Chunk } from "./page.ts"
import { type RestRow, splitIds } from "./texts.ts"

/** Reads the ids of a page, and the texts of these rows up to `bytesMax` bytes. */
type Reader = {
  walk(values: Row): string | null | undefined
  rest(values: { ids: string; bytesMax: number }): RestRow[]
}

/** What changed: the ids of rows, or `any` of a table. */
type Changes = Record<TextTable, Set<number | typeof any>>
const any = "any"
const noChanges = (): Changes => ({ pets: new Set(), orders: new Set() })
const tables: readonly TextTable[] = ["pets", "orders"]

type Generation = Record<TextTable, Map<number, KeptText>>
const emptyGeneration = (): Generation => ({ pets: new Map(), orders: new Map() })

/** Keeps the texts of rows by id, for the readers of one snapshot. What a transaction changes is forgotten when they see its commit. */
export class TextMemory {
  /** Two generations, each of half the size: removing one entry at a time makes a map search for the oldest one. */
  #young = emptyGeneration()
  #old = emptyGeneration()
  readonly #youngBytesMax: number
  #youngBytes = 0
  #hasOld = false
  /** What transactions have changed, and what the commit that readers do not see yet has. */
  #changed = noChanges()
  #committing = noChanges()

  constructor(bytesMax: number) {
    this.#youngBytesMax = bytesMax / 2
  }

  /** A transaction has changed what texts of this row, or of any, are made of; that it is rolled back does not matter. */
  change(table: TextTable, id?: number): void {
    this.#changed[table].add(id ?? any)
  }

  /** All rows are replaced, by what is committed already. */
  replace(): void {
    for (const table of tables) this.#committing[table].add(any)
  }

  /** Before a commit, while no other transaction has changes. */
  commit(): void {
    for (const table of tables) for (const id of this.#changed[table]) this.#committing[table].add(id)
    this.#changed = noChanges()
  }

  /** Readers see the commit from now on. */
  release(): void {
    for (const table of tables) {
      if (this.#committing[table].has(any)) this.#forgetAll(table)
      else for (const id of this.#committing[table]) this.#forget(table, id as number)
    }
    this.#committing = noChanges()
  }

  /** Counts what a text has got: nothing is removed before another text needs the space. */
  grow(bytes: number): void {
    this.#youngBytes += bytes
  }

  /**
   * The row that the statement of a page has: its ids are read, and the texts that are not known. Undefined where most are not and
   * others would be forgotten for them, as on a walk through a large store: the statement itself costs less.
   */
  page({ table, walk }: PageOfTexts, values: Row, read: Reader): Partial<Chunk<number>> | undefined {
    const limit = Number(values.limit)
    const ids = walk
      ? splitIds(read.walk({ ...values, limit: limit + 1 }))
      : (JSON.parse(String(values.ids)) as number[])
    const here = walk ? ids.slice(0, limit) : ids
    const [young, old] = [this.#young[table], this.#old[table]]
    const found = here.map((id) => young.get(id) ?? old.get(id))
    const unknown = here.filter((_, n) => found[n] === undefined)
    if (2 * unknown.length > here.length && this.#isFull) return undefined
    if (unknown.length > 0) {
      const rest = this.#learn(table, read.rest({ ids: JSON.stringify(unknown), bytesMax: Number(values.bytesMax) }))
      for (const [n, id] of here.entries()) found[n] ??= rest.get(id)
    }
    const texts = found as KeptText[]
    const page = {
      count: here.length,
      longest: texts.length === 0 ? null : texts.reduce((longest, { bytes }) => Math.max(longest, bytes), 0),
      items: texts.length === 0 ? null : joinTexts(texts).json,
      texts,
    }
    return walk ? { ...page, last: here.at(-1) ?? null, more: ids.length > limit ? 1 : 0 } : page
  }

  get #isFull(): boolean {
    return this.#hasOld && this.#youngBytes > 0.9 * this.#youngBytesMax
  }

  /** Texts that are too long for the page are not there, and the page does not use the others either. */
  #learn(table: TextTable, rows: readonly RestRow[]): Map<number, KeptText> {
    const learnt = new Map<number, KeptText>()
    for (const { id, json, bytes } of rows) {
      const text = new KeptText(json ?? "", bytes, this)
      learnt.set(id, text)
      if (json !== null) this.#remember(table, id, text)
    }
    return learnt
  }

  #remember(table: TextTable, id: number, text: KeptText): void {
    if (this.#youngBytes >= this.#youngBytesMax) {
      this.#old = this.#young
      this.#hasOld = true
      this.#young = emptyGeneration()
      this.#youngBytes = 0
    }
    this.#young[table].set(id, text)
    this.#youngBytes += text.size
  }

  #forget(table: TextTable, id: number): void {
    const text = this.#young[table].get(id)
    if (text) this.#youngBytes -= text.size
    this.#young[table].delete(id)
    this.#old[table].delete(id)
  }

  #forgetAll(table: TextTable): void {
    for (const text of this.#young[table].values()) this.#youngBytes -= text.size
    this.#young[table] = new Map()
    this.#old[table] = new Map()
  }
}
