import { AsyncLocalStorage } from "node:async_hooks"
import { type Context, type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources"
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base"
import type { Logger } from "pino"
import type { Span, Tracer } from "../kernel/network/trace.ts"

/** How long a stopping service waits for the last export. */
const lastExportMs = 2_000
/** The minimum interval between warnings about an unreachable collector. */
const logIntervalMs = 60_000

/**
 * Traces with OpenTelemetry's SDK. Its own environment variables set sampling, service name, headers and limits. Only its error
 * handler is global to the process.
 */
export function createTracer(endpoint: string, version: string, log: Logger): Tracer & AsyncDisposable {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` })
  const own = resourceFromAttributes({ "service.name": "petstore", "service.version": version })
  const resource = own.merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer("petstore", version)
  const current = new AsyncLocalStorage<Span>()
  setGlobalErrorHandler(exportErrorLogger(log))

  const startSpan = (name: string, kind: SpanKind, parent: Context) =>
    new TracedSpan(tracer.startSpan(name, { kind }, parent), parent)

  const within = <T>(span: Span, work: () => T): T => current.run(span, work)

  async function run<T>(span: Span, work: () => Promise<T>): Promise<T> {
    let isFailure = true
    try {
      const result = await within(span, work)
      isFailure = false
      return result
    } finally {
      span.end(isFailure)
    }
  }

  return {
    beginRequest: (headers) =>
      startSpan("request", SpanKind.SERVER, propagator.extract(ROOT_CONTEXT, headers, fromHeaders)),
    within,
    part(name, work) {
      const around = current.getStore()
      return around instanceof TracedSpan && !around.isOver
        ? run(startSpan(name, SpanKind.INTERNAL, around.context), work)
        : work()
    },
    client(name, work) {
      const span = startSpan(name, SpanKind.CLIENT, ROOT_CONTEXT)
      return run(span, () => work(span))
    },
    async [Symbol.asyncDispose]() {
      const isLate = new Promise<void>((resolve) => setTimeout(resolve, lastExportMs).unref())
      await Promise.race([provider.shutdown(), isLate])
    },
  }
}

/** A span of the SDK, and whether its work has ended. */
class TracedSpan implements Span {
  readonly context: Context
  readonly traceId: string
  readonly spanId: string
  isOver = false
  readonly #span: OtelSpan

  constructor(span: OtelSpan, parent: Context) {
    const { traceId, spanId } = span.spanContext()
    this.context = trace.setSpan(parent, span)
    this.traceId = traceId
    this.spanId = spanId
    this.#span = span
  }

  get headers(): Record<string, string> {
    const headers: Record<string, string> = {}
    propagator.inject(this.context, headers, intoHeaders)
    return headers
  }

  note(facts: Parameters<Span["note"]>[0]): void {
    if (!this.#span.isRecording()) return
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) this.#span.setAttribute(name, value)
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  end(isFailure = false): void {
    if (isFailure) this.#span.setStatus({ code: SpanStatusCode.ERROR })
    this.isOver = true
    this.#span.end()
  }
}

const propagator = new W3CTraceContextPropagator()
const fromHeaders = {
  get: (headers: Record<string, string | string[] | undefined>, name: string) => headers[name],
  keys: Object.keys,
}
const intoHeaders = {
  set(headers: Record<string, string>, name: string, value: string) {
    headers[name] = value
  },
}

/** Logs failed exports, at a limited rate. */
function exportErrorLogger(log: Logger): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ err: error }, "traces could not be sent")
  }
}
