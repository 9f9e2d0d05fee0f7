import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Caller } from "../../src/core/domain/accounts/model.ts"
import { Exchange, type Mount } from "../../src/core/server/exchange/exchange.ts"
import type { Exchanged } from "../../src/parts/sandbox/model.ts"

/** An exchange without content and credential. */
export const emptyExchange: Exchanged = {
  facts: {
    durationMs: 0,
    operation: "addPet",
    webhookId: undefined,
    method: "POST",
    status: 200,
    problem: undefined,
    fault: undefined,
    caller: undefined,
  },
  path: "",
  query: "",
  requestHeaders: [],
  responseHeaders: [],
  requestBody: undefined,
  responseBody: undefined,
}

type Requested = { method?: string; headers?: IncomingHttpHeaders; address?: string; mount?: Mount }

/** The exchange of a request that no connection sent. */
export function exchangeOf(
  url: string,
  { method = "GET", headers = {}, address = "192.0.2.1", mount = plain }: Requested = {},
) {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method, url, headers })
  return new Exchange<Caller>(request, new ServerResponse(request), "request-1", address, mount)
}

const plain: Mount = { prefix: "", logged: "", observer: {} }
