import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the proxy does with a request; `truncated` cuts the response, `reset` the request. */
export type Fate = "passed" | "busy" | "truncated" | "reset" | "unanswered" | "refused"

/** An HTTP proxy that injects the failures a test chooses. */
export async function startFaultyProxy(target: string) {
  let decide: (request: IncomingMessage) => Fate = () => "passed"
  const open = new Set<ServerResponse>()
  // It passes on the `Keep-Alive` of its target, so it closes no idle connection by itself.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    open.add(outgoing)
    outgoing.once("close", () => open.delete(outgoing))
    fates[decide(incoming)](incoming, outgoing, target)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    /** Sets the function that decides the fate of later requests. */
    decideWith: (decision: (request: IncomingMessage) => Fate) => {
      decide = decision
    },
    /** Number of responses still being sent. */
    openCount: () => open.size,
    close,
    reopen: () => listen(port),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await close()
    },
  }
}

type Act = (incoming: IncomingMessage, outgoing: ServerResponse, target: string) => void

const pass: Act = (incoming, outgoing, target) => {
  forward(incoming, outgoing, target, (response) => response.pipe(outgoing))
}

const fates: Record<Fate, Act> = {
  passed: pass,
  busy(incoming, outgoing) {
    incoming.resume()
    const body = "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
    outgoing.writeHead(503, { "content-type": "application/xml" }).end(body)
  },
  refused(incoming, outgoing) {
    incoming.resume()
    const body = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
    outgoing.writeHead(403, { "content-type": "application/xml" }).end(body)
  },
  truncated(incoming, outgoing, target) {
    forward(incoming, outgoing, target, (response) =>
      response.once("data", (chunk: Buffer) =>
        outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.destroy()),
      ),
    )
  },
  reset(incoming) {
    incoming.once("data", () => incoming.socket.destroy())
    incoming.once("end", () => incoming.socket.destroy())
  },
  unanswered: (incoming) => void incoming.resume(),
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  send: (response: IncomingMessage) => void,
): void {
  const { hostname, port } = new URL(target)
  const { method, url, headers } = incoming
  const onward = request({ hostname, port, method, path: url, headers, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode as number, response.headers)
    response.on("error", () => outgoing.destroy())
    send(response)
  })
  onward.on("error", () => outgoing.destroy())
  outgoing.once("close", () => onward.destroy())
  incoming.pipe(onward)
}
