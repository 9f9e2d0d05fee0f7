import type { Operation } from "../../domain/context.ts"
import type { Seed } from "../../domain/sandbox/contract.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath, routePath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import { streamRoute } from "../event-stream/stream-route.ts"
import { faultsOnDemand } from "../faults/on-demand.ts"
import type { Admit } from "../pipeline/admission.ts"
import type { Route } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { type Aside, createGate } from "../sandbox/gate.ts"
import { addReset } from "../sandbox/reset.ts"
import type { errorResponder } from "../writing/problem-response.ts"
import { operationRoute } from "./operation-route.ts"
import { addV2 } from "./v2.ts"

type Offered = {
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  hasV2: boolean
  hasKnownKeys: boolean
  reset: ((seed: Seed) => Promise<void>) | undefined
}

type Parts = Parameters<typeof operationRoute>[3] &
  Parameters<typeof streamRoute>[3] & {
    respondToError: ReturnType<typeof errorResponder>
    /** Drops uses of keys that are not stored yet. */
    forgetUses(): void
  }

/** Makes a route of every endpoint. Where everybody knows the keys they fail on demand, and all can begin anew. */
export function addOperations(router: Router, offered: Offered, parts: Parts) {
  const { api, operations, hasKnownKeys, reset } = offered
  const { respondToError, forgetUses, streams, ports } = parts
  const faults = hasKnownKeys ? faultsOnDemand({ admit: parts.admit, respondToError, ...ports }) : undefined
  const gate = reset && createGate()
  const gated = gate ? { ...parts, aside: gate.aside, receive: receiveAside(parts.receive, gate.aside) } : parts

  function makeFaultyRoute(name: string, endpoint: Endpoint, operation: Operation<Endpoint>, given = parts): Route {
    const make = (admit: Admit) =>
      endpoint.streams
        ? streamRoute(name, endpoint, operation as unknown as StreamOperation, { ...given, admit })
        : operationRoute(name, endpoint, operation, { ...given, admit })
    return faults ? faults.wrap(endpoint, make) : make(parts.admit)
  }

  function makeRoute(name: string, endpoint: Endpoint, operation: Operation<Endpoint>): Route {
    const route = makeFaultyRoute(name, endpoint, operation, gated)
    // A stream goes on for longer than whoever begins anew would wait.
    return !gate || endpoint.streams ? route : gate.wrap(route)
  }

  for (const [name, endpoint] of Object.entries(api)) {
    const route = makeRoute(name, endpoint, operations[name] as Operation<Endpoint>)
    router.add([endpoint.method], basePath + routePath(endpoint.path), route)
  }
  const resetAlone =
    reset &&
    gate &&
    ((seed: Seed) => {
      faults?.forget()
      // Log-ins that wait for their turn would keep the reset waiting, too.
      ports.attempts.release()
      return gate.alone(async () => {
        forgetUses()
        await reset(seed)
        // What they told of is not there any more.
        streams.end()
      })
    })
  if (resetAlone) addReset(router, makeFaultyRoute, resetAlone)
  if (offered.hasV2) addV2(router, offered, makeRoute)
  return { endFaults: () => faults?.end(), resetAlone }
}

/** Takes in files while the store may be reset; the operation was allowed for the store before, so that it cannot continue then. */
const receiveAside =
  (receive: Parts["receive"], aside: Aside): Parts["receive"] =>
  (exchange, shape) => {
    const incoming = receive(exchange, shape)
    return { ...incoming, receive: () => aside(incoming.receive(), refuseAfterReset) }
  }

function refuseAfterReset(): never {
  throw new Problem(
    "unavailable",
    "The sandbox was reset while the file was sent. Nothing was changed. Send it again",
    {
      retryAfter: 1,
    },
  )
}

type StreamOperation = Parameters<typeof streamRoute>[2]
