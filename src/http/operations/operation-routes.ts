import type { AnyOperation } from "../../domain/context.ts"
import type { Seed } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath, routePath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import { type StreamRouteDeps, streamRoute } from "../event-stream/stream-route.ts"
import { faultsOnDemand } from "../faults/on-demand.ts"
import type { Admit } from "../pipeline/admission.ts"
import type { HttpRoute } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { type Aside, createGate } from "../sandbox/gate.ts"
import { addSandboxOperations } from "../sandbox/operations.ts"
import { addV2 } from "../v2/routes.ts"
import type { errorResponder } from "../writing/problem-response.ts"
import { type Invocable, type InvokeDeps, invocable } from "./invoke.ts"
import { operationRoute, type RouteDeps } from "./operation-route.ts"

/** The operations served on a store. */
export type ServedOperations = {
  api: Record<string, Endpoint>
  operations: Record<string, AnyOperation>
  /** Whether the paths of the classic v2 are served too. */
  hasV2: boolean
  /** Whether the API keys are public, as in the sandbox. */
  hasKnownKeys: boolean
  /** Undefined in production. */
  sandbox: SandboxParts | undefined
}

type OperationsDeps = InvokeDeps &
  Omit<RouteDeps, "publicUrl" | "aside"> &
  StreamRouteDeps & {
    respondToError: ReturnType<typeof errorResponder>
    /** Drops buffered uses of keys. */
    forgetUses(): void
  }

/** Adds a route for every operation. In a sandbox operations fail on demand, and a reset waits for running ones. */
export function addOperations(router: Router, served: ServedOperations, deps: OperationsDeps) {
  const { api, operations, hasKnownKeys, sandbox } = served
  const { respondToError, forgetUses, streams, ports, receive } = deps
  const faults = hasKnownKeys ? faultsOnDemand({ admit: deps.admit, respondToError, ...ports }) : undefined
  const gate = sandbox && createGate()
  const plain: RouteDeps = { ...deps, publicUrl: ports.publicUrl }
  const gated = gate ? { ...plain, aside: gate.aside, receive: receiveAside(receive, gate.aside) } : plain
  const bind = (name: string, endpoint: Endpoint, operation: AnyOperation) => invocable(name, endpoint, operation, deps)

  function makeFaultyRoute(one: Invocable, given = plain): HttpRoute {
    const make = (admit: Admit) =>
      one.endpoint.streams ? streamRoute(one, { ...deps, admit }) : operationRoute(one, { ...given, admit })
    return faults ? faults.wrap(one.endpoint, make) : make(deps.admit)
  }

  function makeRoute(one: Invocable): HttpRoute {
    const route = makeFaultyRoute(one, gated)
    // A stream stays open for longer than the client of a reset waits.
    return !gate || one.endpoint.streams ? route : gate.wrap(route)
  }

  function makeSandboxRoute(name: string, endpoint: Endpoint, operation: AnyOperation): HttpRoute {
    const one = bind(name, endpoint, operation)
    // The reset itself is not one of the operations that it waits for.
    return name === "resetSandbox" ? makeFaultyRoute(one) : makeRoute(one)
  }

  const invocables = Object.entries(api).map(([name, endpoint]) =>
    bind(name, endpoint, operations[name] as AnyOperation),
  )
  for (const one of invocables)
    router.add([one.endpoint.method], basePath + routePath(one.endpoint.path), makeRoute(one))
  const resetAlone =
    sandbox &&
    gate &&
    ((seed: Seed) => {
      faults?.forget()
      // Logins that wait for their turn would delay the reset too.
      ports.attempts.release()
      return gate.alone(async () => {
        forgetUses()
        await sandbox.reset(seed)
        // The events they have sent no longer exist.
        streams.end()
      })
    })
  if (sandbox && resetAlone) addSandboxOperations(router, makeSandboxRoute, { ...sandbox, resetAlone })
  if (served.hasV2) addV2(router, served, (...given) => makeRoute(bind(...given)))
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
