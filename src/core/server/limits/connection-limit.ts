import type { RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { slots } from "../../kernel/flow/slots.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import { ClientConnection } from "./connection.ts"

const sweepMs = 1_000

export type ConnectionLimits = {
  /** Connections per address (an IPv6 /64 counts as one), and in total. */
  perAddress: number
  total: number
  /** Address blocks without a limit, such as those of proxies. */
  exempt: readonly string[]
  /** How often connections are checked, in milliseconds, and a monotonic clock in milliseconds. */
  sweepMs?: number
  now?(): number
}

/** Connections in total. */
export const connectionsMax = 10_000

/**
 * Bounds the memory that one connection can take: its requests are handled one after the other, however many it
 * pipelines (RFC 9112 section 9.3.2), and it is destroyed when it does not read its responses.
 */
export type Connections = {
  /** Applies the limits to a server's connections; `sweep` is called at each check. */
  guard(server: Server, limits: ConnectionLimits, sweep: (now: number) => void): void
  inOrder(respond: RequestListener): RequestListener
  /** See `ClientConnection.whenResponded`. */
  whenResponded(socket: Socket): Promise<ServerResponse | undefined>
  /** Lets a response stay open for as long as the client reads what is written. */
  expectStream(response: ServerResponse): void
}

export function createConnections(): Connections {
  let handle: RequestListener = () => undefined
  const open = new Map<Socket, ClientConnection>()

  /** The server's listener, which handles each request immediately or when the response before it has been sent. */
  function inOrder(listener: RequestListener): RequestListener {
    handle = listener
    return (request, response) => (open.get(request.socket) ?? remember(request.socket)).take({ request, response })
  }

  function remember(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, handle)
    open.set(socket, connection)
    socket.once("close", () => {
      connection.forgetWaiting()
      open.delete(socket)
    })
    return connection
  }

  function guard(server: Server, limits: ConnectionLimits, sweep: (now: number) => void): void {
    server.prependListener("connection", inTotal(limits))
    server.prependListener("connection", perAddress(limits))
    const { now = () => performance.now() } = limits
    const timer = setInterval(() => {
      for (const connection of open.values()) connection.destroyIfUnread(now())
      sweep(now())
    }, limits.sweepMs ?? sweepMs).unref()
    server.once("close", () => clearInterval(timer))
  }

  return {
    inOrder,
    guard,
    whenResponded: async (socket) => open.get(socket)?.whenResponded(),
    expectStream(response) {
      if (response.socket) open.get(response.socket)?.expectStream(response)
    },
  }
}

/** Destroys connections beyond the limit of all: `maxConnections` counts those of one listening socket. */
function inTotal({ total }: ConnectionLimits): (socket: Socket) => void {
  let open = 0
  return (socket) => {
    if (open >= total) {
      socket.destroy()
      return
    }
    open++
    socket.once("close", () => open--)
  }
}

/** Destroys the connections of an address beyond its limit. */
function perAddress({ perAddress: max, exempt }: ConnectionLimits): (socket: Socket) => void {
  const isExempt = addressesIn(exempt)
  const open = slots<string>({ perKey: max, total: Number.POSITIVE_INFINITY })

  return (socket) => {
    const { remoteAddress = "" } = socket
    const network = networkOf(remoteAddress)
    if (network === undefined || isExempt(remoteAddress)) return
    const slot = open.take(network)
    if (typeof slot === "string") socket.destroy()
    else socket.once("close", slot)
  }
}
