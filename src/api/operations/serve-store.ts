import type { Logger } from "pino"
import type { Retention } from "../../domain/policy.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Router } from "../../server/pipeline/router.ts"
import { uploads } from "../../server/reading/upload.ts"
import type { Serving } from "../../server/serving.ts"
import { accountQuota } from "../admission/account-quota.ts"
import { admission } from "../admission/admission.ts"
import { authenticator } from "../authentication/authenticate.ts"
import type { ExternalIssuer } from "../authentication/external-issuer.ts"
import { keyUses } from "../authentication/key-usage.ts"
import { eventFeed } from "../feeds/feed.ts"
import { journalFeed } from "../feeds/journal-feed.ts"
import { eventStreams, type StreamPace } from "../feeds/streams.ts"
import { idempotency } from "./idempotency.ts"
import { addOperations, type ServedOperations } from "./operation-routes.ts"

/** A store and the operations served on it. */
type StoreOperations = ServedOperations & {
  ports: Ports & { log: Logger; store: Database }
  signals: Invalidation
  /** A monotonic clock. */
  steady: Clock
  retention: Retention
  /** Overrides of the intervals of event streams. */
  streamPace?: Partial<StreamPace> | undefined
  /** The API key for which requests without a valid credential act; undefined when they are refused. */
  anonymousKey: string | undefined
  /** The external issuer whose tokens are accepted besides the service's own. */
  externalIssuer: ExternalIssuer | undefined
}

/** Adds the operations on a store to a router, with everything that belongs to this store alone. */
export function serveStore(router: Router, served: StoreOperations, serving: Serving) {
  const { ports, signals, steady, externalIssuer, anonymousKey, retention, streamPace: pace } = served
  const { store, clock, log } = ports
  const { load, limitAddress, lookups, publicUrl, unread, expectStream, writeHead, respondToError } = serving
  const taken = uploads(ports.blobs, clock)
  const uses = keyUses(store, clock, (error) => log.error({ err: error }, "uses not stored"))
  const streaming = { clock, steady, signals, expectStream, pace, writeHead }
  const streams = eventStreams({ ...streaming, feed: eventFeed({ store, clock, log }) })
  const requestStreams = served.sandbox && eventStreams({ ...streaming, feed: journalFeed(served.sandbox.journal) })
  const authenticate = authenticator({
    ...{ store, clock, steady, signals, uses, lookups, externalIssuer, anonymousKey },
  })
  const { limitAccount, takeFromPlan } = accountQuota(ports, serving.requests.quota)
  const { admit, admitKnown, readmit } = admission({
    ...{ authenticate, limitAddress, limitAccount, publicUrl },
    requireRoom: unread.requireRoom,
  })
  const once = idempotency(store, clock, retention.responses)
  const { endFaults, resetAlone, invocables } = addOperations(router, served, {
    ...{ ports, signals, load, once, unread, admit, readmit, takeFromPlan, respondToError },
    ...{ receive: taken.receive, streams, requestStreams },
    forgetUses: uses.forget,
  })

  return {
    operating: {
      ...{ ports, invocables, authenticate, admitKnown, readmit, limitAccount, takeFromPlan },
      ...{ streams, requestStreams, receive: taken.receive, expectStream },
    },
    uploadsUnderWay: taken.underWay,
    resetAlone,
    /** Closes long-lived responses, so that connections can close. */
    async end(): Promise<void> {
      const ended = Promise.all([streams.close(), requestStreams?.close()])
      ports.attempts.release()
      endFaults()
      await ended
    },
    /** Stores uses of keys that are buffered. Call it once no request is running. */
    save: uses.save,
  }
}
