import type { AnyOperation } from "../domain/context.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { andThen } from "../kernel/flow/awaitable.ts"
import { basePath, routePath } from "../kernel/network/path.ts"
import type { Exchange, HttpRoute } from "../server/exchange/exchange.ts"
import type { Router } from "../server/exchange/router.ts"
import { timed } from "../server/exchange/timed.ts"
import { isAdministrative } from "../server/pipeline/foreign-pages.ts"
import type { UploadReceiver } from "../server/reading/upload.ts"
import type { Admission } from "./admission/admission.ts"
import type { Streams } from "./feeds/streams.ts"
import { type Invocable, type InvokeParts, invocable } from "./operations/invoke.ts"
import { type StreamParts, streamOpener } from "./operations/open-stream.ts"
import { type ResponderParts, responder } from "./operations/respond.ts"
import {
  admitted,
  bodyReceived,
  compose,
  type FurtherSteps,
  type Handle,
  negotiated,
  parametersRead,
  pass,
  type Step,
  uploadPrepared,
  variesByAccept,
} from "./operations/steps.ts"
import { addV2 } from "./v2/routes.ts"

export type BoundOperations = { api: Record<string, Endpoint>; operations: Record<string, AnyOperation> }

export type RouteParts = InvokeParts &
  ResponderParts &
  Omit<StreamParts, "streams"> & {
    admission: Admission
    receive: UploadReceiver
    streamsOf(operation: string): Streams
    /** Undefined in production. */
    sandbox: FurtherSteps | undefined
  }

/** Adds a route for every operation, and returns the operations for others to run. */
export function addRoutes(router: Router, bound: readonly BoundOperations[], parts: RouteParts): Invocable[] {
  const makeRoute = routeMaker(parts)
  const invocables = bound.flatMap(({ api, operations }) =>
    Object.entries(api).map(([name, endpoint]) => invocable(name, endpoint, operations[name] as AnyOperation, parts)),
  )
  for (const one of invocables)
    router.add([one.endpoint.method], basePath + routePath(one.endpoint.path), makeRoute(one))
  return invocables
}

/** Adds the routes of the classic v2, whose operations are those of v3. */
export function addV2Routes(router: Router, bound: BoundOperations, parts: RouteParts): void {
  const makeRoute = routeMaker(parts)
  addV2(router, bound, (name, endpoint, operation) => makeRoute(invocable(name, endpoint, operation, parts)))
}

/** A stream starts after the first steps: it reads its request itself. */
function routeMaker(parts: RouteParts): (operation: Invocable) => HttpRoute {
  const { admission, receive, sandbox } = parts
  const first: Step[] = [
    sandbox?.gate ?? pass,
    sandbox?.explained ?? pass,
    sandbox?.defects.around ?? pass,
    variesByAccept,
    admitted(admission.admit),
    sandbox?.faults ?? pass,
  ]
  const steps: Step[] = [
    ...first,
    negotiated,
    parametersRead,
    bodyReceived(sandbox?.waitForClient),
    uploadPrepared(receive),
    sandbox?.uploads ?? pass,
    sandbox?.defects.inside ?? pass,
  ]

  return (operation) => {
    const { name, endpoint } = operation
    return {
      admission: "operation",
      operation: name,
      isAdministrative: isAdministrative(endpoint),
      // Login and logout change sessions with GET too.
      isChange: endpoint.method !== "GET" || endpoint.audited !== undefined,
      isUpload: endpoint.upload !== undefined,
      handle: endpoint.streams
        ? compose(first, operation, openStream(operation, parts))
        : compose(steps, operation, run(operation, parts)),
    }
  }
}

function run({ endpoint, invoke }: Invocable, parts: RouteParts): Handle {
  const respond = responder(endpoint, parts)
  const runTimed = (exchange: Exchange) => invoke(exchange, exchange)
  return (exchange) => andThen(exchange, timed(exchange, "operation", runTimed), respond)
}

/** Opens the stream where the operation decides that it starts. */
function openStream(operation: Invocable, parts: RouteParts): Handle {
  const open = streamOpener(operation, { ...parts, ...parts.admission, streams: parts.streamsOf(operation.name) })
  return (exchange) => {
    // Not the exchange, which a stream would keep in memory.
    const { caller, address, id, request } = exchange
    return open(exchange, { caller, address, id, request }, true)
  }
}
