import type { IncomingHttpHeaders } from "node:http"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { failedPrecondition, type Preconditions } from "../../kernel/network/preconditions.ts"
import { Problem } from "../../kernel/problem.ts"
import { preconditionsOf } from "../../server/reading/conditional-requests.ts"

/**
 * The conditions of a change (RFC 9110 section 13.1), before anything is done. A verb that lists `precondition-failed` evaluates them
 * together with its change; for every other one this throws the 412. Those of a read are evaluated with its response.
 */
export function requirePreconditions(endpoint: Endpoint, headers: IncomingHttpHeaders): Preconditions {
  if (headers["if-match"] === undefined && headers["if-none-match"] === undefined) return none
  // Login and logout change sessions with GET too.
  if (endpoint.method === "GET" && endpoint.audited === undefined) return none
  const asked = preconditionsOf(headers)
  const failed = endpoint.problems.includes("precondition-failed") ? undefined : failureOf(endpoint, asked)
  if (failed !== undefined) throw new Problem("precondition-failed", failed)
  return asked
}

const none: Preconditions = {}

/** What a POST to a path without parameters makes does not exist yet. */
function failureOf({ method, params }: Endpoint, asked: Preconditions): string | undefined {
  if (method !== "POST" || params) return failedPrecondition(asked, undefined)
  return asked.ifMatch && "Nothing exists yet that If-Match could match"
}
