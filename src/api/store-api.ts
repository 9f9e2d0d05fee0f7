import type { Retention } from "../domain/policy.ts"
import type { SandboxParts } from "../domain/sandbox/model.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { uploads } from "../server/reading/upload.ts"
import { type Access, type AccessParts, createAccess } from "./admission/access.ts"
import { faultTargets } from "./faults/targets.ts"
import { openEventFeed } from "./feeds/feed.ts"
import { openEventStreams, type StreamPace, type Streams } from "./feeds/streams.ts"
import { addMcp } from "./mcp/mcp.ts"
import type { StoreApi } from "./operations/api.ts"
import { idempotency } from "./operations/idempotency.ts"
import { addRoutes, addV2Routes, type BoundOperations, type RouteParts } from "./routes.ts"
import { openJournalFeed } from "./sandbox/journal-feed.ts"
import { createSandboxApi, type SandboxApi } from "./sandbox/sandbox-api.ts"

type StoreApiParts = AccessParts &
  BoundOperations & {
    retention: Retention
    version: string
    /** The operations on the paths of the classic v2; undefined where they are not served. */
    v2: BoundOperations["operations"] | undefined
    /** Undefined in production. */
    sandbox: SandboxParts | undefined
    /** The monotonic clock of heartbeats, which a frozen sandbox has too. */
    realSteady: Clock
    streamPace?: Partial<StreamPace> | undefined
  }

/** Adds the operations on a store to a router, with everything that belongs to this store alone. */
export function createStoreApi(router: Router, parts: StoreApiParts, http: HttpContext): StoreApi {
  const { ports, api, operations, v2 } = parts
  const access = createAccess(parts, http)
  const { receive, underWay } = uploads(ports.blobs, ports.clock)
  const { streams, requestStreams } = openStreams(parts, http)
  const sandbox = sandboxApi(parts, http, access, streams)
  const routeParts: RouteParts = {
    ...access,
    admission: access,
    ports,
    signals: parts.signals,
    load: http.load,
    unread: http.unread,
    publicUrl: ports.publicUrl,
    runIdempotently: idempotency(ports.store, ports.clock, parts.retention.responses),
    receive,
    streamsOf: (operation) => (operation === "streamRequests" && requestStreams) || streams,
    sandbox: sandbox?.steps,
  }
  const invocables = addRoutes(router, [{ api, operations }, ...(sandbox ? [sandbox] : [])], routeParts)
  if (v2) addV2Routes(router, { api, operations: v2 }, routeParts)
  addMcp(router, {
    http,
    ports,
    admit: access.admitToTools,
    isSandbox: sandbox !== undefined,
    version: parts.version,
  })

  return {
    ...access,
    ports,
    invocables,
    receive,
    streams,
    requestStreams,
    expectStream: http.expectStream,
    uploadsUnderWay: underWay,
    reset: sandbox?.reset,
    async drain() {
      const closed = Promise.all([streams.close(), requestStreams?.close()])
      ports.attempts.release()
      sandbox?.drain()
      await closed
    },
    flush: access.uses.flush,
  }
}

/** The streams of events and, in a sandbox, of requests. */
function openStreams(parts: StoreApiParts, { expectStream, writeHead }: HttpContext) {
  const { ports, steady, realSteady, signals, sandbox, streamPace: pace } = parts
  const { store, clock, log } = ports
  const streaming = { clock, steady, realSteady, signals, expectStream, pace, writeHead }
  return {
    streams: openEventStreams({ ...streaming, feed: openEventFeed({ store, clock, log }) }),
    requestStreams: sandbox && openEventStreams({ ...streaming, feed: openJournalFeed(sandbox.journal) }),
  }
}

function sandboxApi(
  { ports, sandbox, api, v2 }: StoreApiParts,
  { respondToError }: HttpContext,
  { readmit, uses }: Access,
  streams: Streams,
): SandboxApi | undefined {
  if (!sandbox) return undefined
  return createSandboxApi({
    store: ports.store,
    sandbox,
    targets: faultTargets(api, v2 !== undefined),
    plans: ports.plans,
    publicUrl: ports.publicUrl,
    readmit,
    respondToError,
    // Waiting logins would delay the reset too.
    beforeReset: () => ports.attempts.release(),
    async resetAlone(reset) {
      // Buffered uses are those of keys that the reset removes, and the streams have sent events that it removes.
      uses.forget()
      await reset()
      streams.closeAll()
    },
  })
}
