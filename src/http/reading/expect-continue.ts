import type { IncomingMessage, Server, ServerResponse } from "node:http"

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Handles a request with `Expect: 100-continue` (RFC 9110 section 10.1.1) like any other. Node would ask for its body at once; this way
 * a request that its head alone rules out is refused before the client sends the body.
 */
export function takeContinueRequests(server: Server): void {
  server.on("checkContinue", (request, response) => {
    waiting.set(request, response)
    server.emit("request", request, response)
  })
}

/** Asks a client that waits for it to send the body. To be called before a body is read. */
export function askForBody(request: IncomingMessage): void {
  if (request.headers.expect === undefined) return
  const response = waiting.get(request)
  waiting.delete(request)
  response?.writeContinue()
}

/** Whether the client still waits to be asked for the body: it may never send it, and its connection cannot be used again. */
export const awaitsContinue = (request: IncomingMessage): boolean =>
  request.headers.expect !== undefined && waiting.has(request)
