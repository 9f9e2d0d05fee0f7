import type { Endpoint } from "../../kernel/endpoint.ts"

/** Header objects of answers, by name. */
type Headers = Record<string, { description: string; schema: { type: string }; example: unknown }>

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
})

export const exampleETag = '"2FDMcEIdUCmlQKIjUBkbFg"'

export const etagHeader: Headers = { ETag: header("Strong entity tag of exactly this answer", exampleETag) }

const requestIdHeader: Headers = {
  "X-Request-Id": header("Names the request in the service's log", "6f1c4b0e-8f7a-4f0e-9b8e-2f6f3a1f0c11"),
}

const limitHeaders: Headers = {
  "RateLimit-Policy": header("What the plan allows in each window", '"minute";q=60;w=60, "day";q=1000;w=86400'),
  RateLimit: header(
    "What is left of it, and the seconds until there is more",
    '"minute";r=59;t=60, "day";r=997;t=43210',
  ),
}

/** What the headers of an endpoint's success say. */
export const answerHeaders = (endpoint: Endpoint): Headers => ({
  ...requestIdHeader,
  ...(endpoint.scope !== "open" && endpoint.cost !== 0 && limitHeaders),
  ...Object.fromEntries(
    Object.entries(endpoint.headers ?? {}).map(([name, { description, example }]) => [
      name,
      header(description, example),
    ]),
  ),
  ...(endpoint.conditional && endpoint.method !== "DELETE" && etagHeader),
  ...(endpoint.paged && {
    Link: header('Where the next page is, `rel="next"`, while there is one', `</api/v3${endpoint.path}>; rel="next"`),
  }),
  ...(endpoint.idempotent && {
    "Idempotency-Replayed": header("`true` when this is the answer kept from the first time", "true"),
  }),
})

/** What the headers of a problem say, by its status. */
export const problemHeaders = (status: number): Headers => ({
  ...requestIdHeader,
  ...(status === 401 && { "WWW-Authenticate": header("The credentials that would do", 'Bearer realm="petstore"') }),
  ...(status === 429 && limitHeaders),
  ...((status === 429 || status === 503) && {
    "Retry-After": header("Seconds after which the request may be sent again", 5),
  }),
})
