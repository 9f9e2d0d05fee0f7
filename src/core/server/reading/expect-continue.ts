import type { IncomingMessage, Server, ServerResponse } from "node:http"

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Handles a request with `Expect: 100-continue` (RFC 9110 section 10.1.1) like any other. Node would ask for the body
 * immediately; this way a request is refused by its head before the client sends the body.
 */
export function takeContinueRequests(server: Server): void {
  server.on("checkContinue", (request, response) => {
    waiting.set(request, response)
    server.emit("request", request, response)
  })
}

/** Sends 100 Continue to a client that waits for it. Call it before a body is read. */
export function sendContinue(request: IncomingMessage): void {
  const response = waiting.get(request)
  waiting.delete(request)
  response?.writeContinue()
}

/** Whether the client still waits for 100 Continue. It may never send the body, so its connection cannot be reused. */
export const awaitsContinue = (request: IncomingMessage): boolean => waiting.has(request)
