import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Handle } from "./steps.ts"

/** An endpoint of a part that is no operation: programs call it by another protocol. */
export type PartEndpoint = {
  /** Below the address of a store. */
  path: string
  /** The errors with which its protocol refuses a request, with their statuses. */
  errors: Readonly<Record<string, number>>
  /** How what it issues can be wrong. */
  flaws: readonly string[]
}

/** An endpoint of a part at one store. */
type ServedEndpoint = PartEndpoint & {
  /** Makes the response that refuses a request with this error; `retryAfter` is the value of that header. */
  refuse(exchange: Exchange, error: string, retryAfter: string | undefined): HttpResponse
  /** Lets what it issues to this request be wrong. */
  spoil(exchange: Exchange, flaw: string): void
}

/** What a request passes before its endpoint, like the step of an operation. */
export type EndpointStep = (next: Handle, endpoint: ServedEndpoint) => Handle
