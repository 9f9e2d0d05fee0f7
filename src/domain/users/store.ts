import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { PageById, PageOf } from "../../kernel/page.ts"
import type { User } from "./contract.ts"

/** A user as stored: never the password, only its hash. */
export type StoredUser = { user: User; accountId: number; passwordHash: string }

/** What the service asks storage about users. Names are the same whatever the case of their letters. */
export type UserStore = {
  /** The next free id: above every id given before, unlike any a client chose, and never one of a deleted user. */
  nextId(): Promise<number>
  /** The user of this name; undefined when there is none. */
  byName(username: string): Awaitable<StoredUser | undefined>
  /** The user of this id; undefined when there is none or they were deleted. */
  byId(id: number): Promise<StoredUser | undefined>
  /** Like `byName`, and nobody else changes the user until the transaction ends. */
  lock(username: string): Promise<StoredUser | undefined>
  /** Adds a user; false when the id is or was taken, or the name is, and nothing is changed. */
  add(user: StoredUser): Promise<boolean>
  /** Replaces the record of a user that is there; the name must be free or their own. */
  put(user: StoredUser): Promise<void>
  /** Forgets everything about a user except that the id was theirs. */
  erase(id: number): Promise<void>
  /** Users in order of id. */
  list(page: PageById): Promise<PageOf<Json<User>>>
}
