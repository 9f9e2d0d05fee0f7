import type { AttemptError } from "../../../domain/webhooks/deliveries/contract.ts"
import { RefusedAddress } from "./address-guard.ts"
import { UnknownHost } from "./resolve-name.ts"

/** The failure that a status means; undefined for 2xx. */
export function classifyStatus(status: number): AttemptError | undefined {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400 ? "redirect" : "status"
}

/** Classifies a failed request by the first known cause. */
export function classifyFailure(error: unknown): AttemptError {
  for (let cause = error as Failure | undefined; cause; cause = cause.cause ?? cause.errors?.[0]) {
    if (cause instanceof RefusedAddress) return "refused-address"
    if (cause instanceof UnknownHost) return "dns"
    const { code = "", name } = cause
    if (name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) return "timeout"
    if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME|ERR_OSSL)/.test(code)) return "tls"
    if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EINVAL)$/.test(code)) return "connect"
    if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return "reset"
    if (name === "HTTPParserError" || /^UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_INVALID/.test(code))
      return "malformed-response"
  }
  return "connect"
}

type Failure = Error & { code?: string; cause?: Failure; errors?: Failure[] }
