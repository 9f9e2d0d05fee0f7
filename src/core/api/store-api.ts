import type { Retention } from "../domain/policy.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Router } from "../server/exchange/router.ts"
import type { HttpContext } from "../server/http-context.ts"
import { createUploads } from "../server/reading/upload.ts"
import { createAccess } from "./admission/access.ts"
import type { AccessParts } from "./authentication/authenticate.ts"
import { type Feed, openEventFeed } from "./feeds/feed.ts"
import { openEventStreams, type StreamPace, type Streams } from "./feeds/streams.ts"
import type { StoreApi } from "./operations/api.ts"
import { createIdempotency } from "./operations/idempotency.ts"
import { streamOpener } from "./operations/open-stream.ts"
import { responder } from "./operations/respond.ts"
import { withAdded } from "./operations/steps.ts"
import { addRoutes, routeMaker, stepsOf } from "./routes.ts"
import type { BoundOperations, ExtendStore } from "./store-extension.ts"

type StoreApiParts = AccessParts &
  BoundOperations & {
    ports: StoreApi["ports"]
    retention: Retention
    /** What parts add. */
    extensions: readonly ExtendStore[]
    /** The monotonic clock of heartbeats, also where the store has a time of its own. */
    realSteady: Clock
    streamPace?: Partial<StreamPace> | undefined
  }

/** Adds the operations on a store to a router, with everything that belongs to this store alone. */
export function createStoreApi(router: Router, parts: StoreApiParts, http: HttpContext): StoreApi {
  const { ports, api, operations, steady, realSteady, signals, streamPace } = parts
  const { store, clock, log } = ports
  const { expectStream, respondToError } = http
  const access = createAccess(parts, http)
  const { receive, underWay } = createUploads(ports.blobs, clock)
  const clocks = { clock, steady, realSteady }
  const openStreams = (feed: Feed) => openEventStreams(feed, signals, http, clocks, streamPace)
  const streams = openStreams(openEventFeed({ store, clock, log }))
  const extended = { ...access, ports, api, streams, openStreams, respondToError }
  const extensions = parts.extensions.map((extend) => extend(extended))
  const own: Record<string, Streams> = Object.assign({}, ...extensions.map((extension) => extension.streams))
  const streamsOf = (operation: string) => own[operation] ?? streams
  const bound = [{ api, operations }, ...extensions.flatMap((extension) => extension.bound ?? [])]
  const waitForClient = extensions.find((extension) => extension.waitForClient)?.waitForClient
  const makeRoute = routeMaker(
    withAdded(
      stepsOf(access.admit, receive, waitForClient),
      extensions.flatMap(({ steps = [] }) => steps),
    ),
    (endpoint) => responder(endpoint, ports.publicUrl, http.unread),
    (operation) => streamOpener(operation, access, streamsOf(operation.name)),
  )
  const runIdempotently = createIdempotency(store, clock, parts.retention.responses)
  const invoking = { ports, signals, load: http.load, runIdempotently, takeFromPlan: access.takeFromPlan }
  const { invocables, routeOf } = addRoutes(router, bound, invoking, makeRoute)

  return {
    ...access,
    ports,
    invocables,
    routeOf,
    receive,
    streams,
    streamsOf,
    expectStream,
    surround: (next, endpoint) =>
      extensions.reduceRight((inner, { endpointStep }) => endpointStep?.(inner, endpoint) ?? inner, next),
    uploadsUnderWay: underWay,
    async drain() {
      const closed = Promise.all([streams, ...Object.values(own)].map((each) => each.close()))
      ports.attempts.release()
      for (const { drain } of extensions) drain?.()
      await closed
    },
    flush: access.uses.flush,
  }
}
