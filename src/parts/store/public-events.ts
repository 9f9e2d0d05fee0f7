import type { Api } from "../../core/api/operations/api.ts"
import type { Caller } from "../../core/domain/accounts/model.ts"
import { EventId } from "../../core/domain/events/contract.ts"
import { isInFeed, positionOf } from "../../core/domain/events/rules.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { checkOf } from "../../core/kernel/schema/check.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import { eventsSearched } from "./store-views.ts"

/** The stream of public events for anonymous visitors, no older than those on the page. */
export const publicEvents =
  ({ streams, ports }: Pick<Api, "streams" | "ports">) =>
  async (exchange: Exchange<Caller>): Promise<HttpResponse | undefined> => {
    exchange.isReadableAnywhere = false
    const { "last-event-id": received } = exchange.request.headers
    const asked = [received].flat()[0] ?? new URLSearchParams(exchange.query).get("after") ?? ""
    const { events } = ports.store
    const last = await events.at(await events.lastPosition())
    // The page names no event when there was none, and one that the feed does not contain if it is from before a reset.
    const isKnown = isEventId(asked).length === 0 && isInFeed(asked, await events.at(positionOf(asked)))
    const after = Math.max(isKnown ? positionOf(asked) : 0, last.position - eventsSearched)
    return streams.open(exchange, { after: await events.at(after), last })
  }

const isEventId = checkOf(EventId)
