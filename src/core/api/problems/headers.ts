import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { mapValues } from "../../kernel/json/map-values.ts"
import { basePath } from "../../kernel/network/path.ts"

const header = (description: string, example: string | number, required = false) => ({
  description,
  ...(required && { required }),
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
})

const exampleETag = '"2FDMcEIdUCmlQKIjUBkbFg"'

export const sharedHeaders = {
  "X-Request-Id": header("Names the request in the service's log", "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11"),
  "RateLimit-Policy": header("The limits of the plan in each window", '"minute";q=60;w=60, "day";q=1000;w=86400'),
  RateLimit: header(
    "The remaining requests, and the seconds until more are available",
    '"minute";r=59;t=60, "day";r=997;t=43210',
  ),
  ETag: header("Strong entity tag of exactly this representation", exampleETag, true),
  Link: header(
    'The next page, `rel="next"`, if there is one; in a sandbox, for `Prefer: explain`, the recorded request, `rel="describedby"`',
    `<https://petstore.example${basePath}/pet/findByStatus?cursor=YmVmb3JlOjEwMDA>; rel="next"`,
  ),
  "Total-Count": header("How many items the list has on all pages, for `Prefer: count=exact`", 4711),
  "Preference-Applied": header("`count=exact`, or `count=at-least` where counting ended at 10,000", "count=exact"),
  Location: header("The address of the new resource", `${basePath}/keys/7`, true),
  "Idempotency-Replayed": header("`true` for the stored response of an earlier request", "true"),
  Deprecation: header("Since when the operation is deprecated (RFC 9745)", "@1795219200", true),
  "WWW-Authenticate": header("The accepted credentials", 'Bearer realm="petstore"'),
  "Retry-After": header("Seconds after which the request may be sent again", 5),
}

/** Describes the headers of an endpoint's success. */
export const responseHeaders = (endpoint: Endpoint) => ({
  ...shared(
    endpoint.scope !== "open" && endpoint.cost !== 0 && "RateLimit-Policy",
    endpoint.scope !== "open" && endpoint.cost !== 0 && "RateLimit",
    endpoint.conditional && endpoint.method !== "DELETE" && "ETag",
    endpoint.paged && "Link",
    endpoint.counted && "Total-Count",
    endpoint.counted && "Preference-Applied",
    endpoint.status === 201 && "Location",
    endpoint.idempotent && "Idempotency-Replayed",
    endpoint.deprecated !== undefined && "Deprecation",
  ),
  ...mapValues(endpoint.headers ?? {}, ({ description, example }) => header(description, example, true)),
})

export const unchangedHeaders = () => shared("ETag")

export const problemHeaders = (status: number) =>
  shared(
    "X-Request-Id",
    status === 401 && "WWW-Authenticate",
    status === 429 && "RateLimit-Policy",
    status === 429 && "RateLimit",
    (status === 429 || status === 503) && "Retry-After",
  )

const shared = (...names: (keyof typeof sharedHeaders | false | undefined)[]) =>
  Object.fromEntries(names.flatMap((name) => (name ? [[name, { $ref: `#/components/headers/${name}` }]] : [])))
