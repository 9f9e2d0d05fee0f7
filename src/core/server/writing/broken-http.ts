import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Problem, type ProblemKind } from "../../kernel/problem.ts"
import { problemDocument } from "../../kernel/schema/problem-document.ts"
import { nextRequestId } from "../reading/request-id.ts"
import type { ProblemTable } from "./problem-response.ts"

/** The time a client has to read the refusal. */
const lingerMs = 2_000

type ProblemContext = { problems: ProblemTable; publicUrl(): string }

/**
 * Responds to messages that are not HTTP, too large or too slow, with problem documents like all others. Complete
 * requests on the same connection get their responses first.
 */
export function respondToBrokenHttp(
  about: ProblemContext,
  whenResponded: (socket: Socket) => Promise<unknown>,
  count: (code: string) => void,
) {
  const responded = new WeakSet<Duplex>()

  return async (error: { code?: string }, socket: Duplex): Promise<void> => {
    if (error.code === "ECONNRESET" || !socket.writable || responded.has(socket)) return
    responded.add(socket)
    const started = await whenResponded(socket as Socket)
    const problem = problemOf(error)
    count(problem.code)
    if (socket.writable) socket.end(started ? "" : message(problem, about))
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

/** Handles the requests that Node would refuse without a body, or drop. */
export function takeEveryRequest(server: Server, about: ProblemContext): void {
  // RFC 9110 section 10.1.1: an expectation other than 100-continue may be ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_request, socket) =>
    socket.end(message(new Problem("method-not-allowed", "This is not a proxy: CONNECT is not supported"), about)),
  )
}

function problemOf({ code }: { code?: string }): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("header-too-large", "The headers are larger than 16 KiB together")
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("request-timeout", "The request did not arrive completely in time")
    default:
      return new Problem("malformed-request", "The request is not valid HTTP")
  }
}

function message(problem: Problem, { problems, publicUrl }: ProblemContext): string {
  const kind = problems[problem.code] as ProblemKind
  const { status, title } = kind
  const requestId = nextRequestId()
  const body = JSON.stringify(problemDocument(problem, kind, { publicUrl: publicUrl(), instance: "", requestId }))
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ]
  return `${head.join("\r\n")}\r\n\r\n${body}`
}
