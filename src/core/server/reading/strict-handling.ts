import type { IncomingHttpHeaders } from "node:http"
import { parse } from "node:querystring"
import { findNearest } from "../../kernel/did-you-mean.ts"
import { type Endpoint, queryOf } from "../../kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../kernel/flow/once-for-each.ts"
import { problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { baseOf } from "./nested-names.ts"
import { preferenceOf } from "./preferences.ts"

/** Refuses unknown query parameters for requests with `Prefer: handling=strict` (RFC 7240 section 4.4), and where the endpoint says so. */
export const strictHandling = onceForEach((endpoint: Endpoint): ((exchange: Exchange) => void) => {
  const known = new Set(Object.keys(queryOf(endpoint).properties))

  return (exchange) => {
    if (isStrict(exchange.request.headers)) exchange.header("preference-applied", "handling=strict")
    else if (!endpoint.knownQuery) return
    const names = Object.keys(parse(exchange.query, "&", "=", { maxKeys: 0 }))
    const unknown = names.filter((name) => !known.has(baseOf(name)))
    if (unknown.length > 0)
      throw problem(
        "invalid-parameter",
        unknown.slice(0, violationsMax).map((parameter) => unknownParameter(parameter, known)),
      )
  }
})

/** Whether a request asks to be refused rather than to have a part of it ignored. */
export const isStrict = (headers: IncomingHttpHeaders): boolean => preferenceOf(headers, "handling") === "strict"

const violationsMax = 20

function unknownParameter(parameter: string, known: ReadonlySet<string>) {
  const near = findNearest(parameter, known)
  const advice = near === undefined ? "" : `; did you mean ${near}?`
  return { parameter, code: "unknown", detail: `is not a parameter of this operation${advice}` }
}
