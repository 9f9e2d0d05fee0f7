import type { Logger } from "pino"
import type { Operation } from "../../domain/context.ts"
import type { Retention } from "../../domain/policy.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Database } from "../../domain/ports/store.ts"
import type { Seed } from "../../domain/sandbox/contract.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { authenticator } from "../authentication/authenticate.ts"
import type { ExternalIssuer } from "../authentication/external-issuer.ts"
import { keyUses } from "../authentication/key-usage.ts"
import type { Lookups } from "../authentication/principal-cache.ts"
import { eventStreams, type StreamPace } from "../event-stream/streams.ts"
import { admission } from "../pipeline/admission.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { accountQuota } from "../rate-limiting/account-quota.ts"
import type { IpRateLimit } from "../rate-limiting/ip-rate-limit.ts"
import type { LoadShedding } from "../rate-limiting/load-shedding.ts"
import type { UnreadResponses } from "../rate-limiting/unread-responses.ts"
import { uploads } from "../reading/upload.ts"
import type { errorResponder } from "../writing/problem-response.ts"
import type { headWriter } from "../writing/write-response.ts"
import { idempotency } from "./idempotency.ts"
import { addOperations } from "./operation-routes.ts"

/** A store, and the operations that are offered on it. */
export type Offered = {
  ports: Ports & { log: Logger; store: Database }
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  signals: Invalidation
  /** A clock that never jumps. */
  steady: Clock
  retention: Retention
  /** What differs from how often event streams are looked after. */
  streamPace?: Partial<StreamPace> | undefined
  /** Whether there are credentials that everybody knows, as in the sandbox. */
  hasKnownKeys: boolean
  /** Lets a sandbox begin anew, while nobody else is at work. */
  reset: ((seed: Seed) => Promise<void>) | undefined
  /** Whether the paths of the classic v2 are there, too. */
  hasV2: boolean
  /** Whose tokens are accepted besides our own. */
  externalIssuer: ExternalIssuer | undefined
}

/** What the stores of a process have in common: the load, the addresses and the connections are the same. */
export type Shared = {
  /** Where the service is, named sandboxes apart. */
  publicUrl(): string
  load: LoadShedding
  limitAddress: IpRateLimit
  /** Is told of each request whether its plan admitted it. */
  countQuota(plan: string, isAdmitted: boolean): void
  lookups: Lookups
  /** Lets a response that has begun go on without end, for as long as the client reads what is written. */
  expectStream(exchange: Exchange): void
  unread: Pick<UnreadResponses, "requireRoom" | "hold">
  writeHead: ReturnType<typeof headWriter>
  respondToError: ReturnType<typeof errorResponder>
}

/** Adds the operations on a store to a router, with everything that belongs to that store alone. */
export function offerStore(router: Router, offered: Offered, shared: Shared) {
  const { ports, signals, steady, externalIssuer, retention, streamPace: pace } = offered
  const { store, clock, log } = ports
  const { load, limitAddress, lookups, publicUrl, unread, expectStream, writeHead, respondToError } = shared
  const taken = uploads(ports.blobs, clock)
  const uses = keyUses(store, clock, (error) => log.error({ err: error }, "uses not stored"))
  const streams = eventStreams({ store, clock, log, steady, signals, expectStream, pace, writeHead })
  const authenticate = authenticator({ store, clock, steady, signals, uses, lookups, externalIssuer })
  const { limitAccount, takeFromPlan } = accountQuota(ports, shared.countQuota)
  const { admit, admitKnown, readmit } = admission({
    ...{ authenticate, limitAddress, limitAccount, publicUrl },
    requireRoom: unread.requireRoom,
  })
  const once = idempotency(store, clock, retention.responses)
  const parts = {
    ports,
    store,
    signals,
    load,
    admit,
    readmit,
    takeFromPlan,
    streams,
    once,
    unread,
    receive: taken.receive,
  }
  const { endFaults, resetAlone } = addOperations(router, offered, {
    ...parts,
    respondToError,
    forgetUses: uses.forget,
  })

  return {
    operating: { ...parts, authenticate, admitKnown, limitAccount, expectStream },
    uploadsUnderWay: taken.underWay,
    resetAlone,
    /** Ends what goes on without end, so that connections can close. */
    async end(): Promise<void> {
      const ended = streams.close()
      ports.attempts.release()
      endFaults()
      await ended
    },
    /** Stores what is only noted, once no request is running. */
    save: uses.save,
  }
}
