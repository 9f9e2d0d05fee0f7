import type { ResponseOf } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { type Json, jsonArray } from "../../kernel/json/json.ts"
import { idMax } from "../../kernel/schema/schema.ts"
import type { Verb } from "../context.ts"
import type { events } from "./contract.ts"
import { publishIfPossible } from "./publish.ts"
import { requirePosition } from "./require-position.ts"
import { positionOf } from "./rules.ts"

type Item = ResponseOf<typeof events.listEvents>[number]

export const listEvents: Verb<"listEvents"> = async (ctx, { query }) => {
  await publishIfPossible(ctx)
  const { id } = ctx.caller.account
  const after = query.after === undefined ? undefined : positionOf(query.after)
  const found =
    query.sort === "-id"
      ? await ctx.store.events.feedBefore(after ?? idMax, id, query.limit)
      : await ctx.store.events.feed(after ?? 0, id, query.limit)
  // Checked after the read: an event removed between the two is then noticed.
  if (query.after !== undefined) await requirePosition(ctx, query.after)
  return new JsonResponse(jsonArray(found.map(({ id, json }) => `{"id":"${id}",${json.slice(1)}` as Json<Item>)))
}
