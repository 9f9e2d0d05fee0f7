import type { Caller } from "../domain/accounts/model.ts"
import type { AnyOperation } from "../domain/context.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { andThen } from "../kernel/flow/awaitable.ts"
import { basePath, routePath } from "../kernel/network/path.ts"
import type { Exchange, HttpRoute } from "../server/exchange/exchange.ts"
import type { Router } from "../server/exchange/router.ts"
import { timed } from "../server/exchange/timed.ts"
import { isAdministrative } from "../server/pipeline/foreign-pages.ts"
import { isUnchanged } from "../server/reading/conditional-requests.ts"
import type { UploadReceiver } from "../server/reading/upload.ts"
import type { Admit } from "./admission/admission.ts"
import type { RouteOf } from "./operations/api.ts"
import { createInvocable, type Invocable, type InvokeParts } from "./operations/invoke.ts"
import type { OpenStream } from "./operations/open-stream.ts"
import type { Respond } from "./operations/respond.ts"
import {
  admitted,
  bodyReceived,
  compose,
  deprecationSaid,
  type Handle,
  type NamedStep,
  negotiated,
  parametersRead,
  uploadPrepared,
  variesByAccept,
  type WaitForClient,
} from "./operations/steps.ts"
import type { BoundOperations } from "./store-extension.ts"

/** Adds a route for every operation, and returns the operations for others to run, and what makes further routes. */
export function addRoutes(
  router: Router,
  bound: readonly BoundOperations[],
  invoking: InvokeParts,
  makeRoute: (operation: Invocable) => HttpRoute,
): { invocables: Invocable[]; routeOf: RouteOf } {
  const invocables = bound.flatMap(({ api, operations }) =>
    Object.entries(api).map(([name, endpoint]) =>
      createInvocable(name, endpoint, operations[name] as AnyOperation, invoking),
    ),
  )
  for (const one of invocables)
    router.add([one.endpoint.method], basePath + routePath(one.endpoint.path), makeRoute(one))
  return {
    invocables,
    routeOf: (name, endpoint, operation) => makeRoute(createInvocable(name, endpoint, operation, invoking)),
  }
}

/** What every request passes, in this order. A stream starts after the first steps: it reads its request itself. */
export const stepsOf = (
  admit: Admit,
  receive: UploadReceiver,
  waitForClient: WaitForClient | undefined,
): readonly NamedStep[] => [
  { name: "variesByAccept", step: variesByAccept, isOfStreams: true },
  { name: "deprecationSaid", step: deprecationSaid, isOfStreams: true },
  { name: "admitted", step: admitted(admit), isOfStreams: true },
  { name: "negotiated", step: negotiated },
  { name: "parametersRead", step: parametersRead },
  { name: "bodyReceived", step: bodyReceived(waitForClient) },
  { name: "uploadPrepared", step: uploadPrepared(receive) },
]

/** Makes the route of an operation: the steps, and then its response or its stream. */
export function routeMaker(
  steps: readonly NamedStep[],
  respondTo: (endpoint: Endpoint) => Respond,
  openStreamOf: (operation: Invocable) => OpenStream,
): (operation: Invocable) => HttpRoute {
  const first = steps.filter(({ isOfStreams }) => isOfStreams)

  return (operation) => {
    const { name, endpoint } = operation
    return {
      admission: "operation",
      operation: name,
      isAdministrative: isAdministrative(endpoint),
      // Login and logout change sessions with GET too.
      isChange: endpoint.method !== "GET" || endpoint.audited !== undefined,
      isUpload: endpoint.upload !== undefined || endpoint.takesFile === true,
      handle: endpoint.streams
        ? compose(first, operation, streamed(openStreamOf(operation)))
        : compose(steps, operation, run(operation, respondTo(endpoint))),
    }
  }
}

function run({ invoke }: Invocable, respond: Respond): Handle {
  const runTimed = (exchange: Exchange<Caller>) => invoke(exchange, exchange)
  return (exchange) => andThen(exchange, timed(exchange, "operation", runTimed), respond)
}

/** Opens the stream where the operation decides that it starts. */
const streamed =
  (open: OpenStream): Handle =>
  (exchange) => {
    // Not the exchange, which a stream would keep in memory.
    const { caller, address, id, request } = exchange
    if (isUnchanged(request.headers, undefined)) return { status: 304, headers: [], body: undefined }
    return open(exchange, { caller, address, id, request }, true)
  }
