import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { Cursor, Page, PageText, Sort } from "../../kernel/page.ts"
import type { Pet, PetStatus } from "./contract.ts"

/** A pet as JSON text, with the strong entity tag of exactly that text. */
export type StoredPet = { json: Json<Pet>; etag: string }

/** One page of a list of pets as the JSON text of an array, and the id the next one starts below when there is more. */
export type PetPage = PageText<Pet[]>

/**
 * Which pets a list holds, and in what order: by id for categories or tags (any of them), by name for a prefix `name`.
 * At most one of the three is set.
 */
export type PetFilter = {
  statuses: readonly PetStatus[]
  categories?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  name?: string | undefined
  sort: Sort
}

/** One page of a list in any order, and the last pet of it when there is more. */
export type SortedPetPage = PageText<Pet[], Cursor>

/** A pet that nobody else changes until the transaction ends, and its strong entity tag. */
export type LockedPet = { pet: Pet; etag: string }

/** Names that pets carry, each with an id of its own. */
export type LabelKind = "categories" | "tags"

/** What the service asks storage about pets. */
export type PetStore = {
  /** The pet as stored; undefined when there is none. */
  read(id: number): Awaitable<StoredPet | undefined>
  /** The pet, locked until the transaction ends; undefined when there is none. */
  lock(id: number): Promise<LockedPet | undefined>
  /** The next free id: above every id given before and unlike any a client chose. */
  nextId(): Promise<number>
  /** The ids of these category names, new ones included. */
  categoryIds(names: readonly string[]): Promise<Map<string, number>>
  /** The ids of these tag names, new ones included. */
  tagIds(names: readonly string[]): Promise<Map<string, number>>
  /**
   * Deletes unused ones among the `limit` names after the id `after`. Returns the last id examined, undefined at the end.
   * A name that is used again gets a new id.
   */
  forgetUnusedLabels(kind: LabelKind, after: number, limit: number): Promise<number | undefined>
  /** Adds a pet; undefined when its id is taken, and nothing is changed. */
  add(pet: Pet): Promise<StoredPet | undefined>
  /** Replaces a pet that is there. */
  put(pet: Pet): Promise<StoredPet>
  /** Removes the pet, its tags and its references to images; no error when there is none. */
  remove(id: number): Promise<void>
  /** How many pets there are of each status, without counting them. */
  inventory(): Awaitable<Record<PetStatus, number>>
  /** Pets as the filter says; the cursor is of the same order. */
  list(filter: PetFilter, page: { limit: number; cursor: Cursor | undefined }): Awaitable<SortedPetPage>
  /** Pets with any of the statuses, newest (highest id) first. */
  byStatus(statuses: readonly PetStatus[], page: Page): Awaitable<PetPage>
  /** Pets with any of the tags, newest (highest id) first, each once. */
  byTags(tags: readonly string[], page: Page): Awaitable<PetPage>
}
