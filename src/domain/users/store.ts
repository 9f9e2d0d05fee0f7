import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { PageById, PageOf } from "../../kernel/page.ts"
import type { User } from "./contract.ts"

/** A user in storage: only the hash of the password. */
export type StoredUser = { user: User; accountId: number; passwordHash: string }

/** Users in storage. Usernames are not case-sensitive. */
export type UserStore = {
  /** The next free id: higher than every generated id, not chosen by a client, and never that of a deleted user. */
  nextId(): Promise<number>
  /** The user with this name; undefined when there is none. */
  byName(username: string): Awaitable<StoredUser | undefined>
  /** The user with this id; undefined when there is none or they were deleted. */
  byId(id: number): Promise<StoredUser | undefined>
  /** Like `byName`, locked until the transaction ends. */
  lock(username: string): Promise<StoredUser | undefined>
  /** Adds a user; false, without a change, when the id is or was in use, or the name is. */
  add(user: StoredUser): Promise<boolean>
  /** Replaces an existing user; the name must be free or their own. */
  put(user: StoredUser): Promise<void>
  /** Deletes everything about a user except that the id was in use. */
  erase(id: number): Promise<void>
  /** Users by id. */
  list(page: PageById): Promise<PageOf<Json<User>>>
}
