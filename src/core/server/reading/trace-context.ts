/** A valid `traceparent` of version 00 or later (W3C Trace Context, section 3.2); all-zero ids are none. */
const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** The trace id of a request, from its `traceparent`; undefined when it has none. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? traceparent.exec(header)?.[1] : undefined
}
