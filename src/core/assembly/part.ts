import type { ExternalIssuer } from "../api/authentication/external-issuer.ts"
import type { StoreApi } from "../api/operations/api.ts"
import type { PartEndpoint } from "../api/operations/part-endpoint.ts"
import type { ExtendStore } from "../api/store-extension.ts"
import type { Config } from "../config/config.ts"
import type { RotatableSealing } from "../crypto/sealing-key.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Ports } from "../domain/ports/ports.ts"
import type { Database } from "../domain/ports/store.ts"
import type { Role, Scope } from "../domain/scopes.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import type { Awaitable } from "../kernel/flow/awaitable.ts"
import type { Measured, Metric, TrafficSlot } from "../kernel/measure.ts"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import type { Tracer } from "../kernel/network/trace.ts"
import type { Problem } from "../kernel/problem.ts"
import type { Log } from "../observability/log.ts"
import type { Exchange, Observer } from "../server/exchange/exchange.ts"
import type { Router } from "../server/exchange/router.ts"
import type { Readiness } from "../server/health.ts"
import type { HttpContext } from "../server/http-context.ts"
import type { Counters, Storage } from "../storage/open.ts"
import type { ServiceBlobs } from "../storage/service-blobs.ts"
import type { HashCheck } from "../workers/check-hashes.ts"
import type { Chore } from "../workers/chore.ts"
import type { DecorateSending } from "../workers/delivery/sending/attempt.ts"
import type { DeliveryWorker, DeliveryWorkerDeps } from "../workers/delivery/worker.ts"
import type { Membership } from "../workers/replicas.ts"
import type { Described, Description } from "./description.ts"
import type { Overrides } from "./overrides.ts"

/** What a build adds to the core: a folder in `src/parts` and a line in `src/parts.ts`. The core knows no part by name. */
export type Part = {
  name: string
  /** The parts that it uses, which stand before it in the list. */
  needs?: readonly string[]
  /** Opens what it has in a process, in the order of the list; closed in reverse. Throws CannotStart. */
  open(core: Core): Promise<OpenPart> | OpenPart
  /** The modules of its first use, loaded one after the other once the service is ready; those that others import stand first. */
  preload?: readonly Preload[]
}

/** Loads a module before its first use. */
export type Preload = () => Promise<unknown>

export type OpenPart = Partial<AsyncDisposable> & {
  /** Public credentials. */
  samples?: Samples
  /** Opens data that are not on this machine. */
  storage?: Storage
  /** Operations besides those of the API, also of a part that only says why they are missing. */
  contract?: Readonly<Record<string, Endpoint>>
  /** Documents about the API. */
  describe?(api: Described): readonly Description[]
  /** Paths of operations of the API besides that of their endpoint, by the name of the operation. */
  paths?: ReadonlyMap<string, readonly string[]>
  /** Endpoints that are no operations, whose requests pass the steps of other parts. */
  endpoints?: readonly PartEndpoint[]
  /** The page for an unknown path. */
  notFoundPage?(exchange: Exchange): Awaitable<HttpResponse>
  /** The page for a problem of another page, unless its route has one of its own. */
  problemPage?(exchange: Exchange, problem: Problem): HttpResponse
  /** The path of the pages that document the API. */
  docsPath?: string
  /** What it adds to a store while that opens. */
  openStore?(opening: OpeningStore): StorePart
  /** What it adds to the service, once the main store is open and before it is served. */
  serve?(main: MainStore): Promise<ServicePart> | ServicePart
}

/** Credentials that documents and pages show. */
type Samples = {
  knownKeys: readonly { secret: string; plan: string; scopes: readonly Scope[] }[]
  /** The OAuth client that the reference uses by default. */
  docsClientId: string | undefined
  samplePeople: readonly { role: Role; username: string; password: string; account?: number }[]
}

export const noSamples: Samples = { knownKeys: [], docsClientId: undefined, samplePeople: [] }

/** What the stores of a process share before its parts are open. */
export type Core = Measured & {
  config: Config
  clock: Clock
  /** A monotonic clock. */
  steady: Clock
  /** The monotonic clock of the process, also where a store has a time of its own. */
  realSteady: Clock
  log: Log["log"]
  tracer: Tracer | undefined
  overrides: Overrides
  /** The ports of operations besides the store's own. */
  tools: Omit<
    Ports & { log: Log["log"] },
    "store" | "limiter" | "sealing" | "targets" | "blobs" | "attempts" | "publicUrl" | "knownKeys" | "knownPeople"
  >
  delivery: Omit<DeliveryWorkerDeps, "store" | "sealing" | "decorate">
  /** The public address; known once the service listens. */
  address: { publicUrl: string }
}

/** What the stores of a process share. */
export type Shared = AsyncDisposable &
  Core & {
    tools: Core["tools"] & Pick<Ports, "knownKeys" | "knownPeople">
    /** The external issuer whose tokens are accepted besides the service's own. */
    externalIssuer: ExternalIssuer | undefined
    samples: Samples
    storage: Storage
    parts: readonly OpenPart[]
  }

/** A store that is not served yet. */
export type OpeningStore = {
  store: Database
  clock: Clock
  sealing: RotatableSealing
}

/** A store with what works on it. */
export type OpenStore = AsyncDisposable &
  Measured & {
    ports: Ports & { log: Log["log"]; store: Database }
    images: ServiceBlobs
    sealing: RotatableSealing
    signals: Counters["signals"]
    counters: Counters
    worker: DeliveryWorker
    membership: Membership
    /** The first key, if this start created it, and its file. */
    firstKey: { secret: string; path: string } | undefined
    parts: readonly StorePart[]
    /** Unavailable parts without which the store continues, as words for operators. */
    degraded(): string[]
  }

/** What a part adds to a store. */
export type StorePart = Partial<Disposable> & {
  /** Sends messages to webhooks in another way. */
  decorate?: DecorateSending
  /** Fills the store at its first start; without one, the store gets an account and a key. */
  fill?(blobs: BlobStore, publicUrl: string): Promise<void>
  /** Receives the open store. */
  opened?(store: OpenStore): void
  /** What it adds to the operations. */
  extend?: ExtendStore
  /** What observes the requests to the store. */
  observe?(api: StoreApi): Observer
  /** Adds what programs call. */
  addRoutes?(router: Router, served: ServedStore): Promise<void> | void
  /** Adds what people see: all that is at these paths and below. */
  pages?: { paths: readonly string[]; add(router: Router, served: ServedStore): void }
  /** Updates the store when the address of the service is known. */
  moveTo?(publicUrl: string): Promise<void>
}

export type MainStore = { shared: Shared; opened: OpenStore; http: HttpContext; hashCheck: HashCheck }

/** A store that is being served. */
export type ServedStore = Omit<MainStore, "hashCheck"> & {
  api: StoreApi
  /** The name of another store than the main one, whose paths have a prefix; undefined for the main store. */
  name: string | undefined
  /** Throws unless the process is ready; resolves with the parts that it is without. */
  requireReady: Readiness
  /** Recent requests to the process, in slots of five minutes. */
  traffic(): readonly TrafficSlot[]
  /** The metrics of the process. */
  metrics: readonly Metric[]
  /** The origin to which requests for images are redirected; undefined when the service sends the bytes itself. */
  imageOrigin: string | undefined
}

/** What a part adds to the service. */
export type ServicePart = Partial<AsyncDisposable & Measured> & {
  /** The routes of a request that is not for the main store; undefined for all others. */
  enter?(exchange: Exchange, isPage: (path: string) => boolean): Awaitable<Router> | undefined
  /** What maintenance does from time to time. */
  chores?: readonly Chore[]
  /** Called when the service listens; returns how to end what it started. */
  listening?(running: RunningService): Promise<() => Promise<void>>
  /** What an operator sees when the service is ready. */
  greet?(url: string): Greeting
  /** Resets the main store to the data with this name; resolves with a sentence, or undefined for an unknown name. */
  reset?(name: string): Promise<string | undefined>
  /** Closes long-lived responses, so that connections can close. */
  drain?(): Promise<void>
  /** Closes what it serves. Called once no request is running. */
  close?(): Promise<void>
}

/** A text for the terminal; `warn` also writes what an operator should know to standard error and to the log. */
export type Greeting = { text: string; warn(log: Log["log"]): void }

type RunningService = { url: string; address: string; reset: ServicePart["reset"] }
