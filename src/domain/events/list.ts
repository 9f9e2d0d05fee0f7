import type { Answer } from "../../kernel/endpoint.ts"
import { type Json, jsonArray } from "../../kernel/json.ts"
import { JsonResponse } from "../../kernel/json-response.ts"
import type { Operation } from "../context.ts"
import { StoreUnavailable } from "../ports.ts"
import type { events } from "./contract.ts"
import { publishAll } from "./publish.ts"
import { positionOf } from "./rules.ts"

type Item = Answer<typeof events.listEvents>[number]

export const listEvents: Operation<typeof events.listEvents> = async (ctx, { query }) => {
  await ctx.store.transaction((tx) => publishAll(tx, ctx.clock.now())).catch(unlessUnavailable)
  const after = query.after === undefined ? 0 : positionOf(query.after)
  const found = await ctx.store.events.feed(after, ctx.caller.account.id, query.limit)
  return new JsonResponse(jsonArray(found.map(({ id, json }) => `{"id":"${id}",${json.slice(1)}` as Json<Item>)))
}

/** Where nothing can be written, such as on a full disk, events get their places later; those that have one are read. */
function unlessUnavailable(error: unknown): Promise<void> {
  return error instanceof StoreUnavailable ? Promise.resolve() : Promise.reject(error)
}
