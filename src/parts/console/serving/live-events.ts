import type { Invocable } from "../../../core/api/operations/invoke.ts"
import { streamOpener } from "../../../core/api/operations/open-stream.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../../core/server/exchange/exchange.ts"
import type { Visitor } from "../../site/serving/visitor.ts"
import type { Console } from "../console.ts"
import type { ExtensionStream } from "../extension.ts"

/**
 * The event stream of a signed-in person, with the limits of the API; it ends with the session. Visitors who may not see events
 * receive 204, after which a browser does not reconnect (WHATWG HTML section 9.2.3).
 */
export function liveEvents(console: Console): HttpRoute["handle"] {
  const { api } = console
  const streamEvents = api.invocables.find(({ name }) => name === "streamEvents") as Invocable
  const openStream = streamOpener(streamEvents, api, api.streams)

  return (exchange: Exchange<Caller>) =>
    forPerson(console, exchange, streamEvents.endpoint.scope, ({ caller, token }) => {
      const { address, id, request } = exchange
      const { socket, headers } = request
      const asking = { ...headers, authorization: `Bearer ${token}` }
      return openStream(exchange, { caller, address, id, request: { socket, headers: asking } }, false)
    })
}

/** A stream of an extension. */
export const liveStream =
  (console: Console, { scope, open }: ExtensionStream): HttpRoute["handle"] =>
  (exchange: Exchange<Caller>) =>
    forPerson(console, exchange, scope, (visitor) => open(exchange, visitor, console.api))

/** Opens a stream for a person with the scope. */
async function forPerson(
  { findVisitor }: Pick<Console, "findVisitor">,
  exchange: Exchange,
  scope: string,
  open: (visitor: Visitor) => Promise<HttpResponse | undefined>,
): Promise<HttpResponse | undefined> {
  const visitor = await findVisitor(exchange)
  return visitor && (visitor.caller.scopes as ReadonlySet<string>).has(scope) ? open(visitor) : noContent
}

const noContent: HttpResponse = { status: 204, headers: ["cache-control", "no-store"], body: undefined }
