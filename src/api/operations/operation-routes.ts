import type { AnyOperation } from "../../domain/context.ts"
import { type Seed, sandbox as sandboxApi } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath, routePath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { HttpRoute } from "../../server/pipeline/exchange.ts"
import type { Router } from "../../server/pipeline/router.ts"
import type { errorResponder } from "../../server/writing/problem-response.ts"
import type { Admit } from "../admission/admission.ts"
import { faultsOnDemand } from "../faults/on-demand.ts"
import { faultTargets } from "../faults/targets.ts"
import { type StreamRouteDeps, streamRoute } from "../feeds/stream-route.ts"
import type { Streams } from "../feeds/streams.ts"
import { type Aside, createGate } from "../sandbox/gate.ts"
import { sandboxVerbs } from "../sandbox/operations.ts"
import { addV2 } from "../v2/routes.ts"
import { type Invocable, type InvokeDeps, invocable } from "./invoke.ts"
import { operationRoute, type RouteDeps } from "./operation-route.ts"

/** The operations served on a store. */
export type ServedOperations = {
  api: Record<string, Endpoint>
  operations: Record<string, AnyOperation>
  /** The operations on the paths of the classic v2; undefined where they are not served. */
  v2: Record<string, AnyOperation> | undefined
  /** Undefined in production. */
  sandbox: SandboxParts | undefined
}

type OperationsDeps = InvokeDeps &
  Omit<RouteDeps, "publicUrl" | "aside"> &
  StreamRouteDeps & {
    respondToError: ReturnType<typeof errorResponder>
    /** The streams of requests to a sandbox. */
    requestStreams: Streams | undefined
    /** Drops buffered uses of keys. */
    forgetUses(): void
  }

/** Adds a route for every operation. In a sandbox operations fail on demand, and a reset waits for running ones. */
export function addOperations(router: Router, served: ServedOperations, deps: OperationsDeps) {
  const { api, operations, sandbox, v2 } = served
  const { admit, respondToError, ports, receive, streams, requestStreams = streams } = deps
  const faults = sandbox && faultsOnDemand({ admit, respondToError, ...ports, rules: sandbox.faults })
  const gate = sandbox && createGate()
  const plain: RouteDeps = { ...deps, publicUrl: ports.publicUrl }
  const gated = gate ? { ...plain, aside: gate.aside, receive: receiveAside(receive, gate.aside) } : plain
  const bind = (name: string, endpoint: Endpoint, operation: AnyOperation) => invocable(name, endpoint, operation, deps)
  const bindAll = (api: Record<string, Endpoint>, operations: Record<string, AnyOperation>) =>
    Object.entries(api).map(([name, endpoint]) => bind(name, endpoint, operations[name] as AnyOperation))

  function makeFaultyRoute(one: Invocable, given = plain): HttpRoute {
    const { name, endpoint } = one
    const own = name === "streamRequests" ? requestStreams : streams
    const make = (admit: Admit) =>
      endpoint.streams ? streamRoute(one, { ...deps, admit, streams: own }) : operationRoute(one, { ...given, admit })
    return faults ? faults.wrap(one, make) : make(admit)
  }

  function makeRoute(one: Invocable): HttpRoute {
    // The reset itself is not one of the operations that it waits for.
    if (!gate || one.name === "resetSandbox") return makeFaultyRoute(one)
    const route = makeFaultyRoute(one, gated)
    // A stream stays open for longer than the client of a reset waits.
    return one.endpoint.streams ? route : gate.wrap(route)
  }

  const resetAlone =
    sandbox &&
    gate &&
    (async (seed: Seed) => {
      await sandbox.prepareReset(seed)
      faults?.forget()
      // Logins that wait for their turn would delay the reset too.
      ports.attempts.release()
      sandbox.time?.endAdvances()
      return gate.alone(async () => {
        deps.forgetUses()
        await sandbox.reset(seed)
        // The events they have sent no longer exist.
        streams.end()
      })
    })
  const own =
    sandbox && resetAlone && sandboxVerbs({ ...sandbox, resetAlone, targets: faultTargets(api, v2 !== undefined) })
  const invocables = [...bindAll(api, operations), ...(own ? bindAll(sandboxApi, own) : [])]
  for (const one of invocables)
    router.add([one.endpoint.method], basePath + routePath(one.endpoint.path), makeRoute(one))
  if (v2) addV2(router, { api, operations: v2 }, (...given) => makeRoute(bind(...given)))
  return { endFaults: () => faults?.end(), resetAlone, invocables }
}

/** Receives files while the store may be reset. The operation was admitted for the store before, so it fails after a reset. */
const receiveAside =
  (receive: RouteDeps["receive"], aside: Aside): RouteDeps["receive"] =>
  (exchange, shape) => {
    const incoming = receive(exchange, shape)
    return { ...incoming, receive: () => aside(incoming.receive(), refuseAfterReset) }
  }

function refuseAfterReset(): never {
  const detail = "The sandbox was reset while the file was sent. Nothing was changed. Send it again"
  throw new Problem("unavailable", detail, { retryAfter: 1 })
}
