import type { AnyOperation } from "../domain/context.ts"
import type { Ports } from "../domain/ports/ports.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import type { Exchange } from "../server/exchange/exchange.ts"
import type { Access } from "./admission/access.ts"
import type { Feed } from "./feeds/feed.ts"
import type { Streams } from "./feeds/streams.ts"
import type { EndpointStep } from "./operations/part-endpoint.ts"
import type { AddedStep, WaitForClient } from "./operations/steps.ts"

export type BoundOperations = { api: Record<string, Endpoint>; operations: Record<string, AnyOperation> }

/** What a part adds to the operations on a store. */
export type StoreExtension = {
  steps?: readonly AddedStep[]
  /** A step for the endpoints of other parts. */
  endpointStep?: EndpointStep
  /** Receives the body of a request. */
  waitForClient?: WaitForClient
  /** Operations of its own. */
  bound?: BoundOperations
  /** The streams of those of its operations that stream something else than events. */
  streams?: Readonly<Record<string, Streams>>
  /** Ends what would delay a shutdown. */
  drain?(): void
}

/** What an extension may use of the operations on a store. */
export type ExtendedStore = Pick<Access, "readmit" | "uses" | "authenticate"> & {
  ports: Ports
  /** The operations of the core, by name. */
  api: Record<string, Endpoint>
  /** The streams of events. */
  streams: Streams
  openStreams(feed: Feed): Streams
  respondToError(exchange: Exchange, error: unknown): HttpResponse
}

export type ExtendStore = (store: ExtendedStore) => StoreExtension
