import type { FastifyReply, FastifyRequest } from "fastify"
import type { Logger } from "pino"
import { StoreUnavailable } from "../../domain/ports.ts"
import { type ProblemCode, problems } from "../../domain/problems.ts"
import { Problem, type ProblemKind } from "../../kernel/problem.ts"

/** Seconds a client is asked to wait when nothing better is known. */
const retryAfterUnavailable = 5

/** The kind a code stands for. */
export const kindOf = (code: string): ProblemKind => problems[code as ProblemCode]

/** Answers with a problem document (RFC 9457) and logs what a person must look at. */
export function problemResponder(publicUrl: () => string, log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = asProblem(error, request.routeOptions.bodyLimit ?? 0)
    const kind = kindOf(problem.code)
    // A problem that was raised is an answer; everything else needs somebody to look at it.
    if (!(error instanceof Problem) && kind.status >= 500)
      log.error({ err: error, requestId: request.id, code: problem.code }, "request failed")

    reply.headers(problem.headers)
    if (problem.retryAfter !== undefined) reply.header("retry-after", problem.retryAfter)
    return reply
      .code(kind.status)
      .header("content-type", "application/problem+json")
      .header("cache-control", "no-store")
      .send(
        JSON.stringify(
          problemDocument(problem, { publicUrl: publicUrl(), instance: pathOf(request.url), requestId: request.id }),
        ),
      )
  }
}

/** The members of RFC 9457 and ours; `message` repeats `detail` for clients of the classic petstore. */
export function problemDocument(problem: Problem, about: { publicUrl: string; instance: string; requestId: string }) {
  const { status, title } = kindOf(problem.code)
  return {
    type: `${about.publicUrl}/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance: about.instance,
    code: problem.code,
    message: problem.detail,
    requestId: about.requestId,
    ...problem.members,
    ...(problem.violations.length > 0 && { errors: problem.violations }),
  }
}

/** A request's path without its query, which may hold secrets. */
export const pathOf = (url: string): string => url.split("?", 1)[0] as string

function asProblem(error: unknown, bytesMax: number): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreUnavailable)
    return new Problem("unavailable", `Storage did not answer: ${error.message}. Nothing was changed.`, {
      retryAfter: retryAfterUnavailable,
    })
  return frameworkProblem(error as { code?: string; statusCode?: number }, bytesMax) ?? bug
}

const bug = new Problem("internal-error", "Something went wrong on our side. Please report the requestId.")

/** What Fastify itself refuses, in our words. */
function frameworkProblem(
  { code, statusCode }: { code?: string; statusCode?: number },
  bytesMax: number,
): Problem | undefined {
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem("body-too-large", `The body is larger than the ${bytesMax / 1024} KiB this operation reads`)
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem("unsupported-media-type", "The header Content-Type is not a media type")
    case "FST_ERR_BAD_URL":
      return new Problem("malformed-request", "The address is not correctly percent-encoded")
    default:
      return statusCode === 400 ? new Problem("malformed-request", "The request is not valid HTTP") : undefined
  }
}
