import type { PageById, PageOf } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { StoredUser, UserRecord } from "./model.ts"

/** Users in storage. Usernames are not case-sensitive. */
export type UserStore = {
  /** The next free id: higher than every generated id, not chosen by a client, and never that of a deleted user. */
  nextId(): Promise<number>
  /** Generates ids above this one, which must be above every generated id. */
  continueIdsAfter(id: number): Promise<void>
  /** The user with this name; undefined when there is none. */
  byName(username: string): Awaitable<StoredUser | undefined>
  /** The user with this id; undefined when there is none or they were deleted. */
  byId(id: number): Promise<StoredUser | undefined>
  /** The user whose own account this is; undefined when there is none or they were deleted. */
  ofAccount(accountId: number): Promise<StoredUser | undefined>
  /** Like `byName`, locked until the transaction ends. */
  lock(username: string): Promise<StoredUser | undefined>
  /**
   * Adds a user. False when the id or the name is in use, or the id was that of a deleted user who had consented to an
   * application; roll the transaction back then.
   */
  add(user: StoredUser): Promise<boolean>
  /** Replaces an existing user; the name must be free or their own. */
  put(user: StoredUser): Promise<void>
  /** Deletes everything about a user except the id, and whether they had consented to an application. */
  erase(id: number): Promise<void>
  /** Users by id. */
  list(page: PageById): Promise<PageOf<Json<UserRecord>>>
}
