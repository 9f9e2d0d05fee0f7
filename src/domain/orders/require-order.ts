import type { Part } from "../context.ts"
import { maySee } from "./rules.ts"

/** The order, when there is one and the caller may see it: somebody else's is like none. */
export function requireOrder<Found extends { accountId: number }>(
  ctx: Part<"caller", "order-not-found">,
  found: Found | undefined,
): Found {
  return found && maySee(ctx.caller, found) ? found : ctx.refuse("order-not-found")
}
