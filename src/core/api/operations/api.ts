import type { Logger } from "pino"
import type { AnyOperation } from "../../domain/context.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { TrafficSlot } from "../../kernel/measure.ts"
import type { HttpRoute } from "../../server/exchange/exchange.ts"
import type { Readiness } from "../../server/health.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { UploadReceiver } from "../../server/reading/upload.ts"
import type { Access } from "../admission/access.ts"
import type { AccountQuota } from "../admission/account-quota.ts"
import type { Authenticate } from "../authentication/authenticate.ts"
import type { Streams } from "../feeds/streams.ts"
import type { Invocable } from "./invoke.ts"
import type { EndpointStep } from "./part-endpoint.ts"

/** Makes the route of an operation. */
export type RouteOf = (name: string, endpoint: Endpoint, operation: AnyOperation) => HttpRoute

/** The operations on one store, and what runs them for routes, pages and streams. */
export type StoreApi = AccountQuota &
  Pick<Access, "admitKnown" | "readmit" | "admitToTools"> & {
    ports: Ports & { log: Logger; store: Database }
    invocables: readonly Invocable[]
    authenticate: Authenticate
    receive: UploadReceiver
    streams: Streams
    /** The streams of an operation that streams. */
    streamsOf(operation: string): Streams
    /** Makes a route of an operation, for further paths. */
    routeOf: RouteOf
    /** Lets the requests to an endpoint of a part pass the steps of other parts. */
    surround: EndpointStep
    /** Keeps a response open for as long as the client reads what is written. */
    expectStream: HttpContext["expectStream"]
    uploadsUnderWay(): number
    /** Closes long-lived responses, so that connections can close. */
    drain(): Promise<void>
    /** Stores what is buffered. Call it once no request is running. */
    flush(): Promise<void>
  }

export type Api = StoreApi &
  Pick<HttpContext, "toProblem"> & {
    requireReady: Readiness
    /** Recent requests to this process, in slots of five minutes. */
    traffic(): readonly TrafficSlot[]
  }
