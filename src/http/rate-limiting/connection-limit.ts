import type { RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { slots } from "../../kernel/flow/slots.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import { Connection } from "./connection.ts"

const sweepMs = 1_000

export type ConnectionLimits = {
  /** Connections of one address (those of an IPv6 /64 together), and of all addresses. */
  perAddress: number
  total: number
  /** Address blocks that may open any number, such as those of proxies. */
  exempt: readonly string[]
  /** How often connections are looked at, in milliseconds, and a steady clock, likewise. */
  sweepMs?: number
  now?(): number
}

export const connectionsMax = { perAddress: 256, total: 10_000 } as const

/**
 * Bounds what one connection can make the service hold: its requests are handled one after the other, whatever it
 * sends ahead (RFC 9112 section 9.3.2), and it is destroyed when it does not read its responses.
 */
export function connections() {
  let handle: RequestListener = () => undefined
  const open = new Map<Socket, Connection>()

  /** The listener for a server, which hands each request on: now, or when the response before it has been sent. */
  function inTurn(listener: RequestListener): RequestListener {
    handle = listener
    return (request, response) => (open.get(request.socket) ?? remember(request.socket)).take({ request, response })
  }

  function remember(socket: Socket): Connection {
    const connection = new Connection(socket, handle)
    open.set(socket, connection)
    socket.once("close", () => {
      connection.forgetWaiting()
      open.delete(socket)
    })
    return connection
  }

  /** Holds a server's connections to the limits; `sweep` is called as often as they are looked at. */
  function guard(server: Server, limits: ConnectionLimits, sweep: (now: number) => void): void {
    server.maxConnections = limits.total
    server.prependListener("connection", perAddress(limits))
    const { now = () => performance.now() } = limits
    const timer = setInterval(() => {
      for (const connection of open.values()) connection.destroyIfUnread(now())
      sweep(now())
    }, limits.sweepMs ?? sweepMs).unref()
    server.once("close", () => clearInterval(timer))
  }

  return {
    inTurn,
    guard,
    /** Resolves as `Connection.whenResponded` does. */
    whenResponded: async (socket: Socket): Promise<ServerResponse | undefined> => open.get(socket)?.whenResponded(),
    /** Lets a response that has begun go on without end, for as long as the client reads what is written. */
    expectStream(response: ServerResponse): void {
      if (response.socket) open.get(response.socket)?.expectStream(response)
    },
  }
}

/** Destroys what one address opens beyond its share. */
function perAddress({ perAddress: max, exempt }: ConnectionLimits): (socket: Socket) => void {
  const isExempt = addressesIn(exempt)
  const open = slots<string>({ ofOne: max, inAll: Number.POSITIVE_INFINITY })

  return (socket) => {
    const { remoteAddress = "" } = socket
    const network = networkOf(remoteAddress)
    if (network === undefined || isExempt(remoteAddress)) return
    const slot = open.take(network)
    if (typeof slot === "string") socket.destroy()
    else socket.once("close", slot)
  }
}
