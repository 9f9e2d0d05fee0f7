// Decision: docs/decisions/http.md#a-request-beyond-100-waiting-is-presented-to-node-as-an-upgrade

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as http from "../exchange/node-http.ts"

/** Requests that one connection may have queued; a connection with more is destroyed. */
export const pipelinedMax = 100
/** The same for all connections: queued requests are held in memory and slow down garbage collection. */
const waitingOfAllMax = 10_000
/** The time a client has to take a response; its bytes at the minimum rate add to it. */
const graceMs = 30_000
const slowestBytesPerSecond = 16 * 1024

type Exchange = { request: IncomingMessage; response: ServerResponse }

const isOver = ({ response }: Exchange): boolean => response.writableFinished

let waitingOfAll = 0
/** The connections with a full queue. */
const full = new WeakSet<Socket>()

/** A connection whose requests are handled one after the other, and whose client must read the responses. */
export class ClientConnection {
  readonly #socket: Socket
  readonly #handle: RequestListener
  readonly #waiting: Exchange[] = []
  #current: Exchange | undefined
  /** When the current response was first found unread. */
  #unreadSince: number | undefined
  /** The current response is a stream: only what was written can be unread. */
  #isStream = false

  constructor(socket: Socket, handle: RequestListener) {
    this.#socket = socket
    this.#handle = handle
  }

  /** Handles a request immediately, or when the response before it has been sent. */
  take(exchange: Exchange): void {
    if (this.#waiting.length === 0) {
      const current = this.#current
      if (current === undefined || isOver(current)) {
        this.#start(exchange)
        return
      }
      // Only a client that pipelines requests costs a listener.
      current.response.once("close", () => this.#takeNext())
    }
    this.#waiting.push(exchange)
    if (++waitingOfAll > waitingOfAllMax || this.#waiting.length === pipelinedMax) full.add(this.#socket)
    this.#socket.pause()
  }

  #takeNext(): void {
    // Queued requests are counted until the connection has closed.
    const exchange = this.#socket.destroyed ? undefined : this.#waiting.shift()
    if (exchange === undefined) return
    waitingOfAll--
    full.delete(this.#socket)
    if (this.#waiting.length === 0) this.#socket.resume()
    else exchange.response.once("close", () => this.#takeNext())
    this.#start(exchange)
  }

  #start(exchange: Exchange): void {
    this.#current = exchange
    this.#unreadSince = undefined
    this.#isStream = false
    this.#handle(exchange.request, exchange.response)
  }

  /** Called when the connection has closed. */
  forgetWaiting(): void {
    waitingOfAll -= this.#waiting.length
  }

  /** Resolves when every complete request of the connection has its response; with the response to an incomplete request, if that has started. */
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

  /** Destroys the connection when its client leaves the current response unread for too long. */
  destroyIfUnread(now: number): void {
    const current = this.#current
    if (!current?.response.headersSent) return
    if (isOver(current)) {
      this.#current = undefined
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
 * Node reads 64 KiB at once and starts every request in it, up to 1,500, each with a response that lives as long as the
 * connection: a thousand connections exhaust the memory in one turn of the event loop. Therefore a request on a connection with a
 * full queue reports itself as an upgrade. Without a listener for upgrades Node makes no response and destroys the connection.
 */
class BoundedRequest extends http.IncomingMessage {
  // The constructor of the base class sets it before a field of this class could exist.
  declare private asked: unknown

  get upgrade(): unknown {
    return this.asked || full.has(this.socket)
  }

  set upgrade(asked: unknown) {
    this.asked = asked
  }
}

/** Options of a server of such requests: an upgrade that a client requests is handled like any other request. */
export const boundedRequests = {
  IncomingMessage: BoundedRequest,
  shouldUpgradeCallback: ({ socket }: IncomingMessage): boolean => full.has(socket),
}
