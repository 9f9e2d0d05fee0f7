import type { Cursor, Page, PageText, Sort } from "../../kernel/endpoint/page.ts"
import type { ListTotal } from "../../kernel/endpoint/total.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { Pet, PetStatus } from "./contract.ts"

/** A pet as JSON text, with the strong entity tag of that text. */
export type StoredPet = { json: Json<Pet>; etag: string }

/** A page of pets as the text of a JSON array, and the id below which the next one starts, if any. */
export type PetPage = PageText<Pet[]>

/**
 * Which pets a list holds, and in what order: by id for categories and tags (any of each), by name for a prefix `name`, which is not
 * set beside these.
 */
export type PetFilter = {
  statuses: readonly PetStatus[]
  categories?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  name?: string | undefined
  sort: Sort
}

/** A page of a list in any order, and the cursor of the next one, if any. */
export type SortedPetPage = PageText<Pet[], Cursor>

/** When a pet was added and last changed (ms); undefined if that was before times were recorded. */
export type PetTimes = { createdAt?: number | undefined; updatedAt?: number | undefined }

/** A pet locked until the transaction ends, its strong entity tag, and its times. */
export type LockedPet = { pet: Pet; etag: string; times: PetTimes }

/** The ids that a client of the classic v2 sent inside a pet's category and tags, each with the name that it was sent with. */
export type SentIds = Pick<Pet, "category" | "tags">

/** Numbers of pets by status. */
export type StatusCounts = Map<PetStatus, number>

/** Kinds of labels, each with ids of its own. */
export type LabelKind = "categories" | "tags"

/** Pets in storage. */
export type PetStore = {
  /** The pet as stored; undefined when there is none. */
  read(id: number): Awaitable<StoredPet | undefined>
  /**
   * The pet, locked until the transaction ends; undefined when there is none. One that is damaged is returned only on request, for what
   * replaces or deletes it, and as far as it can be read.
   */
  lock(id: number, which?: "or-damaged"): Promise<LockedPet | undefined>
  /** The next free ids, ascending: higher than every generated id, and not chosen by clients. */
  nextIds(count: number): Promise<number[]>
  /** Generates ids above this one, which must be above every generated id. */
  continueIdsAfter(id: number): Promise<void>
  /** The ids of these category names, creating missing ones. */
  categoryIds(names: readonly string[]): Promise<Map<string, number>>
  /** The ids of these tag names, creating missing ones. */
  tagIds(names: readonly string[]): Promise<Map<string, number>>
  /**
   * Deletes unused ones among the `limit` names after the id `after`. Returns the last id examined, undefined at the end.
   * A name that is used again gets a new id.
   */
  forgetUnusedLabels(kind: LabelKind, after: number, limit: number): Promise<number | undefined>
  /**
   * Adds pets at this time (ms); undefined, without a change, for one whose id is taken, also by an earlier one of them. With
   * `uncounted` they are noted there, for `count`.
   */
  add(pets: readonly Pet[], at?: number, uncounted?: StatusCounts): Promise<(StoredPet | undefined)[]>
  /** Changes the inventory by what was noted, in one order everywhere to avoid deadlocks. */
  count(uncounted: StatusCounts): Promise<void>
  /**
   * Replaces a pet that the transaction has locked; `before` is what it was. Without a time (ms), it counts as unchanged. With
   * `uncounted` a change of status is noted there, for `count`.
   */
  put(pet: Pet, before: Pet, at?: number, uncounted?: StatusCounts): Promise<StoredPet>
  /** Keeps these ids for an existing pet instead of earlier ones. */
  keepSentIds(id: number, sent: SentIds): Promise<void>
  /** The ids sent for these pets, by the id of the pet; pets without such ids are absent. */
  sentIds(ids: readonly number[]): Awaitable<Map<number, SentIds>>
  /** The times of these pets, by id. */
  times(ids: readonly number[]): Awaitable<Map<number, PetTimes>>
  /** Deletes the pet, its tags, the ids sent for it and its references to images; no error when there is none. `uncounted` as for `put`. */
  remove(id: number, uncounted?: StatusCounts): Promise<void>
  /** The number of pets of each status, from a stored counter. */
  inventory(): Awaitable<Record<PetStatus, number>>
  /** Pets that match the filter; the cursor must be of the same order. */
  list(filter: PetFilter, page: { limit: number; cursor: Cursor | undefined }): Awaitable<SortedPetPage>
  /** How many pets match the filter: from the inventory, or from at most `max` entries of an index, which may name a pet twice. */
  total(filter: Omit<PetFilter, "sort">, max: number): Awaitable<ListTotal>
  /** Pets with any of the statuses, newest (highest id) first. */
  byStatus(statuses: readonly PetStatus[], page: Page): Awaitable<PetPage>
  /** Pets with any of the tags, newest (highest id) first, each once. */
  byTags(tags: readonly string[], page: Page): Awaitable<PetPage>
}
