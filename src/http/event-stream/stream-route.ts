import type { Logger } from "pino"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Operation } from "../../domain/context.ts"
import type { StreamStart } from "../../domain/events/model.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Endpoint, Input } from "../../kernel/endpoint.ts"
import { type Asking, createContext } from "../operations/context.ts"
import type { Admit, Readmit } from "../pipeline/admission.ts"
import type { Exchange, Route } from "../pipeline/exchange.ts"
import { isAdministrative } from "../pipeline/foreign-pages.ts"
import type { AccountQuota } from "../rate-limiting/account-quota.ts"
import type { LoadShedding } from "../rate-limiting/load-shedding.ts"
import { readNoBody } from "../reading/body.ts"
import { requireEventStream } from "../reading/content-negotiation.ts"
import { inputReader } from "../reading/read-input.ts"
import { strictHandling } from "../reading/strict-handling.ts"
import type { Streams } from "./streams.ts"

type StreamParts = {
  ports: Ports & { log: Logger }
  load: LoadShedding
  readmit: Readmit
  takeFromPlan: AccountQuota["takeFromPlan"]
  streams: Streams
}

/** Whose stream it is, and whether the request for it was counted: known by what the request brought, or by what a page knows of them. */
type Listening = Asking & Parameters<Readmit>[0] & { isCounted: boolean }

type Streaming = Operation<Endpoint & { streams: true }>

/** The route of an endpoint that streams: admitted and read like any other; what the operation decides is where to begin. */
export function streamRoute(
  name: string,
  endpoint: Endpoint,
  operation: Streaming,
  { admit, ...parts }: StreamParts & { admit: Admit },
): Route {
  const openStream = streamOpener(endpoint, operation, parts)

  async function handle(exchange: Exchange) {
    await admit(exchange, endpoint)
    const { caller, address, id, request } = exchange
    return openStream(exchange, { caller, address, id, request, isCounted: true })
  }

  return { admission: "operation", operation: name, isAdministrative: isAdministrative(endpoint), handle }
}

/** Begins a stream for somebody who was admitted, and ends it when they would be no more. */
export function streamOpener(endpoint: Endpoint, operation: Streaming, parts: StreamParts) {
  const { ports, load, readmit, takeFromPlan, streams } = parts
  const { readParameters } = inputReader(endpoint)
  const requireKnownQuery = strictHandling(endpoint)

  async function begin(asking: Asking, input: Input<Endpoint & { streams: true }>): Promise<StreamStart> {
    load.begin()
    try {
      return await operation(createContext(ports, asking, endpoint, ports.store).context, input)
    } finally {
      load.end()
    }
  }

  return async (exchange: Exchange, listening: Listening) => {
    requireEventStream(exchange.request.headers.accept)
    requireKnownQuery(exchange)
    const input = { ...readParameters(exchange), body: undefined, upload: undefined }
    await readNoBody(exchange.request)
    const start = await begin(listening, input as unknown as Input<Endpoint & { streams: true }>)
    const caller = listening.caller as Caller
    const recheck = async () => (await readmit(listening, endpoint)).expiresAt
    const holder = { kind: "account", id: caller.account.id } as const
    const replay = { takePage: () => takeFromPlan(caller), isFirstPaid: listening.isCounted }
    return streams.open(exchange, { ...start, holder, recheck, replay })
  }
}
