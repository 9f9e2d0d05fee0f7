import type { Invocable } from "../../api/operations/invoke.ts"
import { streamOpener } from "../../api/operations/open-stream.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../server/exchange/exchange.ts"
import type { Console } from "./console.ts"
import type { Person } from "./visitor.ts"

/**
 * The event stream of a signed-in person, with the limits of the API; it ends with the session. Visitors who may not see events
 * receive 204, after which a browser does not reconnect (WHATWG HTML section 9.2.3).
 */
export function liveEvents(console: Console): HttpRoute["handle"] {
  const { api } = console
  const streamEvents = api.invocables.find(({ name }) => name === "streamEvents") as Invocable
  const openStream = streamOpener(streamEvents, api)

  return (exchange) =>
    forPerson(console, exchange, streamEvents.endpoint.scope, ({ caller, token, address, id, request }) => {
      const { socket, headers } = request
      const asking = { ...headers, authorization: `Bearer ${token}` }
      return openStream(exchange, { caller, address, id, request: { socket, headers: asking } }, false)
    })
}

/** The stream of requests to a sandbox, for administrators. */
export const liveRequests =
  (console: Console): HttpRoute["handle"] =>
  (exchange) =>
    forPerson(console, exchange, "admin", (person) =>
      console.sandbox?.streamRequests(exchange, person, exchange.params.name),
    )

/** Opens a stream for a person with the scope. */
async function forPerson(
  { findPerson }: Pick<Console, "findPerson">,
  exchange: Exchange,
  scope: string,
  open: (person: Person) => Promise<HttpResponse | undefined> | undefined,
): Promise<HttpResponse | undefined> {
  const person = await findPerson(exchange)
  return person && (person.caller.scopes as ReadonlySet<string>).has(scope) ? open(person) : nothing
}

const nothing: HttpResponse = { status: 204, headers: ["cache-control", "no-store"], body: undefined }
