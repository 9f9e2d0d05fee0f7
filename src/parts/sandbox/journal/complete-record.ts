import type { Authenticate } from "../../../core/api/authentication/authenticate.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { readBeginning } from "../../../core/server/reading/body.ts"
import { awaitsContinue } from "../../../core/server/reading/expect-continue.ts"
import { hasBody } from "../../../core/server/reading/request-head.ts"

/** How much of a refused body is read for the journal, and for how long the response waits for it. */
const [beginningBytesMax, beginningMs] = [16 * 1024, 1_000]

/** Finds out what a refusal left open: the body that was not read, and the caller of a path or method that no operation has. */
export function completeRecord(exchange: Exchange, authenticate: Authenticate): Promise<unknown> | undefined {
  const { request, route, method } = exchange
  const isUnread = !request.readableDidRead && hasBody(request) && !route?.isUpload && !awaitsContinue(request)
  const isUnknown = route === undefined && method !== "OPTIONS"
  if (!isUnread && !isUnknown) return undefined
  // A wrong credential does not change that the path is unknown.
  const identifying = isUnknown ? identify(exchange, authenticate).catch(() => undefined) : undefined
  return Promise.all([isUnread ? receiveBeginning(exchange) : undefined, identifying])
}

async function receiveBeginning(exchange: Exchange): Promise<void> {
  exchange.received = await readBeginning(exchange.request, beginningBytesMax, beginningMs)
}

async function identify(exchange: Exchange, authenticate: Authenticate): Promise<void> {
  const { caller } = await authenticate(exchange.request, exchange.address)
  exchange.caller = caller
}
