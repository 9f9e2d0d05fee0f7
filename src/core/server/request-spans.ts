import type { Tracer } from "../kernel/network/trace.ts"
import type { Exchange } from "./exchange/exchange.ts"

/** Request spans by OpenTelemetry's conventions for HTTP servers. Queries may hold secrets and are left out. */
type RequestSpans = {
  runInSpan(exchange: Exchange, run: (exchange: Exchange) => void): void
  end(exchange: Exchange): void
}

export function requestSpans(tracer: Tracer): RequestSpans {
  return {
    runInSpan(exchange, run) {
      const span = tracer.beginRequest(exchange.request.headers)
      exchange.span = span
      tracer.within(span, () => run(exchange))
    },
    end({ span, method, path, status, problem, resource, route, id, caller, created }) {
      if (span === undefined) return
      if (resource) span.rename(`${method} ${resource.path}`)
      span.note({
        "http.request.method": method,
        "url.path": path,
        "url.scheme": "http",
        "http.route": resource?.path,
        "http.response.status_code": status,
        "error.type": problem,
        "user.id": caller?.user?.id,
        "petstore.operation": route?.operation,
        "petstore.request_id": id,
        "petstore.created": created,
        "petstore.account": caller?.account.id,
      })
      span.end(status >= 500)
    },
  }
}
