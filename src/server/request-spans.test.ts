import assert from "node:assert/strict"
import { test } from "node:test"
import type { Span, Tracer } from "../kernel/network/trace.ts"
import type { Exchange } from "./exchange/exchange.ts"
import { requestSpans } from "./request-spans.ts"

function traced() {
  const steps: unknown[] = []
  const span = {
    note: (facts: object) => steps.push(facts),
    rename: (name: string) => steps.push(name),
    end: (isFailure: boolean) => steps.push(isFailure),
  } as unknown as Span
  const tracer = {
    beginRequest: (headers: object) => (steps.push(headers) ? span : span),
    within: (within: Span, work: () => void) => (steps.push(within === span) ? work() : work()),
  } as unknown as Tracer
  return { steps, spans: requestSpans(tracer), span }
}

test("a request runs in a span of the trace that its headers name", () => {
  const { steps, spans, span } = traced()
  const headers = { traceparent: "a" }
  const exchange = { request: { headers } } as unknown as Exchange
  spans.runInSpan(exchange, (given) => steps.push(given === exchange && given.span === span))
  assert.deepEqual(steps, [headers, true, true])
})

test("a span has what is known about its request, and is a failure from 500 on", () => {
  for (const [status, isFailure] of [
    [404, false],
    [499, false],
    [500, true],
    [503, true],
  ] as const) {
    const { steps, spans, span } = traced()
    const exchange = {
      span,
      method: "GET",
      path: "/a/1",
      id: "r1",
      status,
      problem: "p",
      created: "7",
      resource: { path: "/a/{id}" },
      route: { operation: "getA" },
      caller: { account: { id: 3 }, user: { id: 4 } },
    }
    spans.end(exchange as unknown as Exchange)
    assert.deepEqual(steps, [
      "GET /a/{id}",
      {
        "http.request.method": "GET",
        "url.path": "/a/1",
        "url.scheme": "http",
        "http.route": "/a/{id}",
        "http.response.status_code": status,
        "error.type": "p",
        "user.id": 4,
        "petstore.operation": "getA",
        "petstore.request_id": "r1",
        "petstore.created": "7",
        "petstore.account": 3,
      },
      isFailure,
    ])
  }
})

test("a request of no route keeps the name of its span, and one without a span has none", () => {
  const { steps, spans, span } = traced()
  spans.end({ span, method: "GET", path: "/b", status: 404 } as unknown as Exchange)
  assert.deepEqual([typeof steps[0], steps[1]], ["object", false])
  steps.length = 0
  spans.end({ method: "GET", status: 404 } as unknown as Exchange)
  assert.deepEqual(steps, [])
})
