import type { ContextPart } from "../context.ts"
import type { FeedPosition } from "./model.ts"
import { isInFeed, positionOf } from "./rules.ts"

/** Refuses an id after which the client would miss events without noticing. */
export async function requirePosition(
  ctx: ContextPart<"store", "event-unknown">,
  eventId: string,
): Promise<FeedPosition> {
  const position = await ctx.store.events.at(positionOf(eventId))
  return isInFeed(eventId, position) ? position : ctx.refuse("event-unknown", missed)
}

const missed =
  "The feed does not contain the event with this id, or no longer: its retention has ended, or the service was reset or restored " +
  "to an earlier state. Events may have been missed. To continue, read GET /events without `after`, which starts with the " +
  "oldest event kept, and continue after the last one read"
