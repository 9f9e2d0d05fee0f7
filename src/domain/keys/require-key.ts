import type { Part } from "../context.ts"
import type { Key } from "./model.ts"

/** The key, when it is the caller's account's, or the caller is an administrator; refused like an absent one otherwise. */
export function requireKey({ caller, refuse }: Part<"caller", "key-not-found">, key: Key | undefined): Key {
  if (key && (key.accountId === caller.account.id || caller.scopes.has("admin"))) return key
  return refuse("key-not-found", "Key not found")
}
