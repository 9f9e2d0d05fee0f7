import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as http from "../server/node-http.ts"

/** Requests of one connection that have arrived and wait for their turn; one with more is destroyed. */
export const waitingMax = 100
/** The same of all connections together: what waits is held in memory, and looked at by every collection of it. */
const waitingOfAllMax = 10_000
/** A client gets this long to take a response, and as much longer as its bytes need at the slowest rate. */
const graceMs = 30_000
const slowestBytesPerSecond = 16 * 1024

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Whether the client has been sent all of a response. */
const isOver = ({ response }: Exchange): boolean => response.writableFinished

let waitingOfAll = 0
/** The connections with as many requests waiting as they may have. */
const full = new WeakSet<Socket>()

/** A connection whose requests are handled one after the other, and whose client must read the responses. */
export class Connection {
  readonly #socket: Socket
  readonly #handle: RequestListener
  readonly #waiting: Exchange[] = []
  #current: Exchange | undefined
  /** When the client was first seen not to have taken all of the current response. */
  #unreadSince: number | undefined
  /** The current response goes on for as long as there is something to tell: only what was written can be unread. */
  #isStream = false

  constructor(socket: Socket, handle: RequestListener) {
    this.#socket = socket
    this.#handle = handle
  }

  /** Handles a request: now, or when the response before it has been sent. */
  take(exchange: Exchange): void {
    if (this.#waiting.length === 0) {
      const current = this.#current
      if (current === undefined || isOver(current)) {
        this.#begin(exchange)
        return
      }
      // Only a client that sends requests ahead costs a listener.
      current.response.once("close", () => this.#takeNext())
    }
    this.#waiting.push(exchange)
    if (++waitingOfAll > waitingOfAllMax || this.#waiting.length === waitingMax) full.add(this.#socket)
    this.#socket.pause()
  }

  #takeNext(): void {
    // What waits is counted until the connection has closed.
    const exchange = this.#socket.destroyed ? undefined : this.#waiting.shift()
    if (exchange === undefined) return
    waitingOfAll--
    full.delete(this.#socket)
    if (this.#waiting.length === 0) this.#socket.resume()
    else exchange.response.once("close", () => this.#takeNext())
    this.#begin(exchange)
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange
    this.#unreadSince = undefined
    this.#isStream = false
    this.#handle(exchange.request, exchange.response)
  }

  /** Called when the connection has closed. */
  forgetWaiting(): void {
    waitingOfAll -= this.#waiting.length
  }

  /**
   * Resolves when every complete request of the connection has been responded to; with the response to an incomplete
   * one, when that has begun.
   */
  async whenResponded(): Promise<ServerResponse | undefined> {
    for (let exchange = this.#current; exchange && !isOver(exchange); exchange = this.#current) {
      const { request, response } = exchange
      if (!request.complete) return response.headersSent ? response : undefined
      await new Promise((resolve) => response.once("close", resolve))
      if (this.#socket.destroyed) return undefined
    }
    return undefined
  }

  expectStream(response: ServerResponse): void {
    this.#isStream = true
    response.on("drain", () => {
      this.#unreadSince = undefined
    })
  }

  /** Destroys the connection when its client has not taken the current response for too long. */
  destroyIfUnread(now: number): void {
    const current = this.#current
    if (!current?.response.headersSent) return
    if (isOver(current)) {
      if (this.#waiting.length === 0) this.#current = undefined
      return
    }
    const unsent = this.#socket.writableLength
    if (this.#isStream && unsent === 0) {
      this.#unreadSince = undefined
      return
    }
    this.#unreadSince ??= now
    const bytes = Math.max(Number(current.response.getHeader("content-length") ?? 0), unsent)
    if (now - this.#unreadSince > graceMs + (bytes / slowestBytesPerSecond) * 1000) this.#socket.destroy()
  }
}

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
