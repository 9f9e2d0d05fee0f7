// Decision: docs/decisions/http.md#what-a-request-passes-is-a-list

import type { Caller } from "../../domain/accounts/model.ts"
import { formatDeprecation } from "../../kernel/clock.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType, xmlType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { emptyBody, readNoBody, readRequestBody } from "../../server/reading/body.ts"
import { chooseXml } from "../../server/reading/content-negotiation.ts"
import { strictHandling } from "../../server/reading/strict-handling.ts"
import type { UploadReceiver } from "../../server/reading/upload.ts"
import type { Admit } from "../admission/admission.ts"
import type { Invocable } from "./invoke.ts"
import { cacheControlOf } from "./respond.ts"

export type Handle = (exchange: Exchange<Caller>) => Awaitable<HttpResponse | undefined>

/** What a request passes before its operation runs: it refuses the request, or continues with the next. Made once for each route. */
export type Step = (next: Handle, operation: Invocable) => Handle

/** A step with a name, after which a part can add its own. */
export type NamedStep = { name: string; step: Step; isOfStreams?: true }

/** A step of a part: directly after the named one, or before all others. */
export type AddedStep = { step: Step; after: string | undefined }

/** The steps with those of parts; of several after the same step, the first stays first. */
export function withAdded(steps: readonly NamedStep[], additions: readonly AddedStep[]): NamedStep[] {
  const unknown = additions.find(({ after }) => after !== undefined && !steps.some(({ name }) => name === after))
  if (unknown) throw new Error(`no step is named ${unknown.after}`)
  const following = (name: string | undefined, of: Omit<NamedStep, "step">): NamedStep[] =>
    additions.flatMap(({ step, after }) => (after === name ? [{ ...of, step }] : []))
  return [
    ...following(undefined, { name: "", isOfStreams: true }),
    ...steps.flatMap((one) => [one, ...following(one.name, { ...one, name: "" })]),
  ]
}

/** The steps from first to last, and then the operation. */
export const compose = (steps: readonly NamedStep[], operation: Invocable, run: Handle): Handle =>
  steps.reduceRight((next, { step }) => step(next, operation), run)

/** Says that the response depends on `Accept`, also when it is a refusal. */
export const variesByAccept: Step = (next, { endpoint }) => {
  if (!hasXml(endpoint) || cacheControlOf(endpoint) === "no-store") return next
  return (exchange) => {
    exchange.header("vary", "accept")
    return next(exchange)
  }
}

/** Says since when the operation is deprecated (RFC 9745), also when it refuses the request. */
export const deprecationSaid: Step = (next, { endpoint: { deprecated } }) => {
  if (deprecated === undefined) return next
  const value = formatDeprecation(Date.parse(deprecated))
  return (exchange) => {
    exchange.header("deprecation", value)
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

/** Waits for the body that a client sends. */
export type WaitForClient = <T>(receiving: Promise<T>, exchange: Exchange<Caller>, operation: Invocable) => Promise<T>

export const bodyReceived =
  (wait: WaitForClient = (receiving) => receiving): Step =>
  (next, operation) => {
    const { endpoint } = operation
    const bytesMax = bodyBytesMaxOf(endpoint)
    const isIgnored = endpoint.classicValues === true && endpoint.method === "GET"
    const receive = endpoint.body ? readRequestBody : endpoint.upload || isIgnored ? leaveBody : readNoBody
    const keep = (exchange: Exchange<Caller>, bytes: Buffer) => {
      exchange.received = bytes
      return next(exchange)
    }
    return (exchange) => {
      // A step of a part has received it.
      if (endpoint.takesFile && exchange.request.readableEnded) return next(exchange)
      const receiving = receive(exchange.request, bytesMax, (bytes) => {
        exchange.received = bytes
      })
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

/** The operation receives the file itself, or v2 ignores the body of a GET. */
const leaveBody = () => emptyBody
