import type { Logger } from "pino"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Seed } from "../../domain/sandbox/start/contract.ts"
import type { TrafficSlot } from "../../kernel/measure.ts"
import type { Readiness } from "../../server/health.ts"
import type { HttpContext } from "../../server/http-context.ts"
import type { UploadReceiver } from "../../server/reading/upload.ts"
import type { AccountQuota } from "../admission/account-quota.ts"
import type { Admission } from "../admission/admission.ts"
import type { Authenticate } from "../authentication/authenticate.ts"
import type { Streams } from "../feeds/streams.ts"
import type { Invocable } from "./invoke.ts"

/** The operations on one store, and what runs them for routes, pages and streams. */
export type StoreApi = AccountQuota &
  Pick<Admission, "admitKnown" | "readmit"> & {
    ports: Ports & { log: Logger; store: Database }
    invocables: readonly Invocable[]
    authenticate: Authenticate
    receive: UploadReceiver
    streams: Streams
    /** The streams of requests to a sandbox; undefined in production. */
    requestStreams: Streams | undefined
    /** Keeps a response open for as long as the client reads what is written. */
    expectStream: HttpContext["expectStream"]
    uploadsUnderWay(): number
    /** Resets the sandbox once no operation is running; undefined in production. */
    reset: ((seed: Seed) => Promise<void>) | undefined
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
