// Decision: docs/decisions/http.md#what-a-request-passes-is-a-list

import { bodyBytesMaxOf, type Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType, xmlType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { readNoBody, readRequestBody } from "../../server/reading/body.ts"
import { chooseXml } from "../../server/reading/content-negotiation.ts"
import { strictHandling } from "../../server/reading/strict-handling.ts"
import type { UploadReceiver } from "../../server/reading/upload.ts"
import type { Admit } from "../admission/admission.ts"
import type { Invocable } from "./invoke.ts"
import { cacheControlOf } from "./respond.ts"

export type Handle = (exchange: Exchange) => Awaitable<HttpResponse | undefined>

/** What a request passes before its operation runs: it refuses the request, or continues with the next. Made once for each route. */
export type Step = (next: Handle, operation: Invocable) => Handle

/** The steps from first to last, and then the operation. */
export const compose = (steps: readonly Step[], operation: Invocable, run: Handle): Handle =>
  steps.reduceRight((next, step) => step(next, operation), run)

export const pass: Step = (next) => next

/** Says that the response depends on `Accept`, also when it is a refusal. */
export const variesByAccept: Step = (next, { endpoint }) => {
  if (!hasXml(endpoint) || cacheControlOf(endpoint) === "no-store") return next
  return (exchange) => {
    exchange.header("vary", "accept")
    return next(exchange)
  }
}

/** Throws unless the caller is authenticated, within the limits, and has the scope. */
export const admitted =
  (admit: Admit): Step =>
  (next, { endpoint }) =>
  (exchange) =>
    andThen(exchange, admit(exchange, endpoint), next)

export const negotiated: Step = (next, { endpoint }) => {
  const isXmlOffered = hasXml(endpoint)
  return (exchange) => {
    const { accept } = exchange.request.headers
    if (accept !== undefined && accept !== jsonType) exchange.isXml = chooseXml(accept, isXmlOffered)
    return next(exchange)
  }
}

/** Reads path, query and page, so that a request that is wrong is refused before its body is read. */
export const parametersRead: Step = (next, { endpoint, readParameters }) => {
  const requireKnownQuery = strictHandling(endpoint)
  return (exchange) => {
    requireKnownQuery(exchange)
    exchange.parameters = readParameters(exchange)
    return next(exchange)
  }
}

type WaitForClient = <T>(receiving: Promise<T>, exchange: Exchange, operation: Invocable) => Promise<T>

export type FurtherSteps = {
  /** Makes a reset wait for running operations, and operations for a reset. */
  gate: Step
  /** Collects how a request is judged, if it asks for it. */
  explained: Step
  /** Handle requests wrongly, where the sandbox has defects. */
  defects: { around: Step; inside: Step }
  faults: Step
  /** Lets a reset run while a client sends. */
  waitForClient: WaitForClient
  uploads: Step
}

export const bodyReceived =
  (wait: WaitForClient = (receiving) => receiving): Step =>
  (next, operation) => {
    const { endpoint } = operation
    const bytesMax = bodyBytesMaxOf(endpoint)
    const receive = endpoint.body ? readRequestBody : endpoint.upload ? leaveBody : readNoBody
    const keep = (exchange: Exchange, bytes: Buffer) => {
      exchange.received = bytes
      return next(exchange)
    }
    return (exchange) => {
      const receiving = receive(exchange.request, bytesMax)
      if (!(receiving instanceof Promise)) return keep(exchange, receiving)
      return wait(receiving, exchange, operation).then((bytes) => keep(exchange, bytes))
    }
  }

/** Hands the file of an upload to the operation, which receives it when it has found out where it belongs. */
export const uploadPrepared =
  (receive: UploadReceiver): Step =>
  (next, { endpoint: { upload } }) =>
    upload
      ? (exchange) => {
          exchange.upload = receive(exchange, upload)
          return next(exchange)
        }
      : next

const hasXml = ({ produces }: Endpoint): boolean => produces?.includes(xmlType) === true

const nothing = Buffer.alloc(0)
/** The operation receives the file itself. */
const leaveBody = () => nothing
