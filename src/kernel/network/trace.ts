/** What is known about a piece of work, under OpenTelemetry's names; what is undefined is left out. */
type SpanFacts = Readonly<Record<string, string | number | undefined>>

/** A piece of work in a trace (OpenTelemetry), until it ends. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** The headers that let whoever is asked go on with the trace: `traceparent` and `tracestate` (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>
  note(facts: SpanFacts): void
  /** Gives it another name, once what it is about is known. */
  rename(name: string): void
  /** Ends it, as a failure when it was one. */
  end(isFailure?: boolean): void
}

type TracedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Tells a collector what happened when, as traces. */
export type Tracer = {
  /** Begins the work for a request, in the trace that its headers name, or in one of its own. */
  beginRequest(headers: TracedHeaders): Span
  /** Runs what belongs to a span; work that is traced meanwhile becomes part of it. */
  within<T>(span: Span, work: () => T): T
  /** Does a part of the work that a span is under way for; it is not traced where there is none. */
  part<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Does work that asks another service, in a trace of its own. */
  client<T>(name: string, work: (span: Span) => Promise<T>): Promise<T>
}
