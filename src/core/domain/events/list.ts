import type { ResponseOf } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { pageBytesMax } from "../../kernel/endpoint/page.ts"
import { type Json, jsonArray } from "../../kernel/json/json.ts"
import { idMax } from "../../kernel/schema/schema.ts"
import type { Verb } from "../context.ts"
import type { events } from "./contract.ts"
import { publishIfPossible } from "./publish.ts"
import { requirePosition } from "./require-position.ts"
import { positionOf } from "./rules.ts"
import type { EventStore, PublishedEvent } from "./store.ts"

type Item = ResponseOf<typeof events.listEvents>[number]

export const listEvents: Verb<"listEvents"> = async (ctx, { query }) => {
  await publishIfPossible(ctx)
  const found = await readFeed(ctx.store.events, ctx.caller.account.id, query)
  // Checked after the read: an event removed between the two is then noticed.
  if (query.after !== undefined) await requirePosition(ctx, query.after)
  return new JsonResponse(jsonArray(found.map(({ id, json }) => `{"id":"${id}",${json.slice(1)}` as Json<Item>)))
}

type Part = { sort: "id" | "-id"; limit: number; after?: string }

/** Events that are read at once: each has up to 64 KiB. */
const stretchSize = 500

/** Reads so many events, or fewer that are as long as a page may be. */
async function readFeed(
  events: Pick<EventStore, "feed" | "feedBefore">,
  accountId: number,
  { sort, limit, after }: Part,
): Promise<PublishedEvent[]> {
  const [read, start] = sort === "-id" ? [events.feedBefore, idMax] : [events.feed, 0]
  const found: PublishedEvent[] = []
  let length = 0
  let position = after === undefined ? start : positionOf(after)
  while (found.length < limit) {
    const wanted = Math.min(stretchSize, limit - found.length)
    const stretch = await read(position, accountId, wanted)
    for (const one of stretch) {
      length += one.json.length
      if (length > pageBytesMax) return found.length > 0 ? found : [one]
      found.push(one)
    }
    if (stretch.length < wanted) break
    position = positionOf((stretch.at(-1) as PublishedEvent).id)
  }
  return found
}
