import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { slots } from "../../kernel/flow/slots.ts"
import { addressesIn, networkOf } from "../../kernel/network/ip-address.ts"
import * as http from "../server/node-http.ts"

/** Requests of one connection that have arrived and wait for their turn; one with more is destroyed. */
export const waitingMax = 100
/** The same of all connections together: what waits is held in memory, and looked at by every collection of it. */
const waitingOfAllMax = 10_000
/** A client gets this long to take a response, and as much longer as its bytes need at the slowest rate. */
const graceMs = 30_000
const slowestBytesPerSecond = 16 * 1024
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

type Exchange = { request: IncomingMessage; response: ServerResponse }
type Connection = {
  current: Exchange | undefined
  /** When the client was first seen not to have taken all of the current response. */
  unreadSince: number | undefined
  waiting: Exchange[]
  /** The current response goes on for as long as there is something to tell: only what was written can be unread. */
  isStream: boolean
}

/** Whether the client has been sent all of a response. */
const isOver = ({ response }: Exchange): boolean => response.writableFinished

/**
 * Bounds what one connection can make the service hold: its requests are handled one after the other, whatever it
 * sends ahead (RFC 9112 section 9.3.2), and it is destroyed when it does not read its responses.
 */
export function connections() {
  let handle: RequestListener = () => undefined
  const open = new Map<Socket, Connection>()
  let waitingOfAll = 0

  /** The listener for a server, which hands each request on: now, or when the response before it has been sent. */
  function inTurn(listener: RequestListener): RequestListener {
    handle = listener
    return take
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = open.get(socket) ?? remember(socket)
    const { current, waiting } = connection
    const exchange = { request, response }
    if (waiting.length === 0) {
      if (current === undefined || isOver(current)) {
        begin(connection, exchange)
        return
      }
      // Only a client that sends requests ahead costs a listener.
      current.response.once("close", () => takeNext(connection, socket))
    }
    waiting.push(exchange)
    if (++waitingOfAll > waitingOfAllMax || waiting.length === waitingMax) full.add(socket)
    socket.pause()
  }

  function remember(socket: Socket): Connection {
    const connection = { current: undefined, unreadSince: undefined, waiting: [], isStream: false }
    open.set(socket, connection)
    socket.once("close", () => {
      waitingOfAll -= connection.waiting.length
      open.delete(socket)
    })
    return connection
  }

  function begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange
    connection.unreadSince = undefined
    connection.isStream = false
    handle(exchange.request, exchange.response)
  }

  function takeNext(connection: Connection, socket: Socket): void {
    const exchange = connection.waiting.shift()
    if (exchange === undefined || socket.destroyed) return
    waitingOfAll--
    full.delete(socket)
    if (connection.waiting.length === 0) socket.resume()
    else exchange.response.once("close", () => takeNext(connection, socket))
    begin(connection, exchange)
  }

  /**
   * Resolves when every complete request of the connection has been responded to; with the response to an incomplete
   * one, when that has begun.
   */
  async function whenResponded(socket: Socket): Promise<ServerResponse | undefined> {
    const exchange = open.get(socket)?.current
    if (exchange === undefined || isOver(exchange)) return undefined
    const { request, response } = exchange
    if (!request.complete) return response.headersSent ? response : undefined
    await new Promise((resolve) => response.once("close", resolve))
    return whenResponded(socket)
  }

  /** Lets a response that has begun go on without end, for as long as the client reads what is written. */
  function expectStream(response: ServerResponse): void {
    const connection = response.socket && open.get(response.socket)
    if (!connection) return
    connection.isStream = true
    response.on("drain", () => {
      connection.unreadSince = undefined
    })
  }

  function destroyUnread(now: number): void {
    for (const [socket, connection] of open) {
      const { current, waiting } = connection
      if (!current?.response.headersSent) continue
      if (isOver(current)) {
        if (waiting.length === 0) connection.current = undefined
        continue
      }
      if (connection.isStream && socket.writableLength === 0) {
        connection.unreadSince = undefined
        continue
      }
      connection.unreadSince ??= now
      const bytes = Math.max(Number(current.response.getHeader("content-length") ?? 0), socket.writableLength)
      if (now - connection.unreadSince > graceMs + (bytes / slowestBytesPerSecond) * 1000) socket.destroy()
    }
  }

  /** Holds a server's connections to the limits; `sweep` is called as often as they are looked at. */
  function guard(server: Server, limits: ConnectionLimits, sweep: (now: number) => void): void {
    server.maxConnections = limits.total
    server.prependListener("connection", perAddress(limits))
    const { now = () => performance.now() } = limits
    const timer = setInterval(() => {
      destroyUnread(now())
      sweep(now())
    }, limits.sweepMs ?? sweepMs).unref()
    server.once("close", () => clearInterval(timer))
  }

  return { inTurn, whenResponded, guard, expectStream }
}

/** The connections with as many requests waiting as they may have. */
const full = new WeakSet<Socket>()

/**
 * Node reads 64 KiB at once and begins every request in them, some 1,500 at worst, each with a response that lives as
 * long as the connection: a thousand connections exhaust the memory in one turn of the event loop. A request that
 * arrives on a full connection therefore calls itself an upgrade. Nobody listens for those, so that Node makes no
 * response and destroys the connection.
 */
class BoundedRequest extends http.IncomingMessage {
  // Set by the constructor of the base class, before a field of this one could be.
  declare private asked: unknown

  get upgrade(): unknown {
    return this.asked || full.has(this.socket)
  }

  set upgrade(asked: unknown) {
    this.asked = asked
  }
}

/** What else a server of such requests needs: an upgrade somebody asks for is a request like any other. */
export const boundedRequests = {
  IncomingMessage: BoundedRequest,
  shouldUpgradeCallback: ({ socket }: IncomingMessage): boolean => full.has(socket),
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
