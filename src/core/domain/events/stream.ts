import { inParameter } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import type { Context, Verb } from "../context.ts"
import { EventId, type events } from "./contract.ts"
import { publishIfPossible } from "./publish.ts"
import { requirePosition } from "./require-position.ts"

type Streaming = typeof events.streamEvents

/** Determines where the stream starts. A client that reconnects sends `Last-Event-ID` with its original URL. */
export const streamEvents: Verb<"streamEvents"> = async (ctx, { query: { after, since } }) => {
  const { events } = ctx.store
  const received = lastReceived(ctx) ?? after
  await publishIfPossible(ctx)
  const last = await events.at(await events.lastPosition())
  if (received !== undefined) return { after: await requirePosition(ctx, received), last }
  if (since === undefined) return { after: last, last }
  return { after: await events.at(await events.positionBefore(timeOf(ctx, since))), last }
}

/** RFC 3339 allows leap seconds, JavaScript does not. */
function timeOf({ refuse }: Context<Streaming>, since: string): number {
  const ms = Date.parse(since)
  if (!Number.isNaN(ms)) return ms
  return refuse("invalid-parameter", inParameter("since", "wrong-form", "must be a date and a time"))
}

function lastReceived({ lastEventId, refuse }: Context<Streaming>): string | undefined {
  if (!lastEventId || checkEventId(lastEventId).length === 0) return lastEventId || undefined
  return refuse("invalid-parameter", inParameter("Last-Event-ID", "wrong-form", "must be the id of an event"))
}

const checkEventId = checkOf(EventId)
