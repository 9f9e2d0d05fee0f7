/** Attributes with OpenTelemetry's names; undefined ones are omitted. */
type SpanFacts = Readonly<Record<string, string | number | undefined>>

/** A span of a trace (OpenTelemetry). */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** Headers that propagate the trace to another service: `traceparent` and `tracestate` (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>
  note(facts: SpanFacts): void
  /** Renames the span once its subject is known. */
  rename(name: string): void
  /** Ends the span, optionally as a failure. */
  end(isFailure?: boolean): void
}

type TracedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Exports traces to a collector. */
export type Tracer = {
  /** Starts the span of a request, in the trace named by its headers or in a new one. */
  beginRequest(headers: TracedHeaders): Span
  /** Runs work as part of a span; spans started meanwhile become its children. */
  within<T>(span: Span, work: () => T): T
  /** Runs work in a child of the active span; without one, it is not traced. */
  part<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Runs a call of another service in a new trace. */
  client<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
}
