import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { streamOpener } from "../event-stream/stream-route.ts"
import type { Invocable } from "../operations/invoke.ts"
import type { HttpRoute } from "../pipeline/exchange.ts"
import type { Console } from "./console.ts"

/**
 * The event stream of a signed-in person, with the limits of the API; it ends with the session. Visitors who may not see events
 * receive 204, after which a browser does not reconnect (WHATWG HTML section 9.2.3).
 */
export function liveEvents(
  { operating, findPerson }: Pick<Console, "operating" | "findPerson">,
  streamEvents: Invocable,
): HttpRoute["handle"] {
  const openStream = streamOpener(streamEvents, operating)

  return async (exchange) => {
    const person = await findPerson(exchange)
    if (!person || !(person.caller.scopes as ReadonlySet<string>).has(streamEvents.endpoint.scope)) return nothing
    const { caller, token, address, id, request } = person
    const { socket, headers } = request
    const asking = { ...headers, authorization: `Bearer ${token}` }
    return openStream(exchange, { caller, address, id, request: { socket, headers: asking }, isCounted: false })
  }
}

const nothing: HttpResponse = { status: 204, headers: ["cache-control", "no-store"], body: undefined }
