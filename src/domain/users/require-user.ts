import type { Part } from "../context.ts"
import { mayChange, maySee } from "./rules.ts"
import type { StoredUser } from "./store.ts"

/** The user, when there is one and the caller may see them: somebody else's record is like none. */
export function requireUser(ctx: Part<"caller", "user-not-found">, found: StoredUser | undefined): StoredUser {
  return found && maySee(ctx.caller, found) ? found : ctx.refuse("user-not-found")
}

/** The same for a change, which somebody below the user may not make. */
export function requireChangeableUser(
  ctx: Part<"caller", "user-not-found" | "role-missing">,
  found: StoredUser | undefined,
): StoredUser {
  const stored = requireUser(ctx, found)
  if (!mayChange(ctx.caller, stored))
    ctx.refuse("role-missing", `${stored.user.username} is ${stored.user.role} and can be changed by an admin only`)
  return stored
}
