import type { Socket } from "node:net"

/** A client gets this long before it must take a large response at the slowest rate. */
const graceMs = 10_000
const slowestBytesPerSecond = 64 * 1024
/** A connection counts as unread when its client has taken nothing for this long. */
const stalledMs = 1_000

/** The memory that responses of one account, or all of them, may take. */
export class Share {
  bytes = 0
  responses = 0
  readonly #max: number
  /** Of what is being written; the response unread for longest comes first. */
  readonly unread = new Set<HeldResponse>()

  constructor(max: number) {
    this.#max = max
  }

  hasRoomFor(bytes: number): boolean {
    return this.bytes + bytes <= this.#max
  }

  /** Closes the connection whose client has taken nothing for longest; false when every client reads. */
  closeLongestUnread(now: number): boolean {
    const [longest] = this.unread
    return longest?.closeIfStalled(now) ?? false
  }
}

/** A response of which something is held in memory. */
export class HeldResponse {
  readonly #socket: Socket
  /** What it is charged to: that of its account, and that of all. */
  readonly shares: readonly [Share, Share]
  readonly #bytesMax: number
  bytes = 0
  /** Held as a whole until its last byte has been written; of a stream, only what was written and not taken is. */
  #isWhole = false
  /** Closed when the client takes less than the slowest rate. */
  #isPaced = false
  /** When writing began, in milliseconds, and what the socket had sent by then. Undefined while the response is held back. */
  #writing: { since: number; sentBefore: number } | undefined
  /** How many bytes the client had taken when it was last looked at, and when it last took some. */
  #taken = 0
  #takenAt = 0

  /** `bytesMax` is the most that may be held of a stream. */
  constructor(socket: Socket, shares: readonly [Share, Share], bytesMax: number) {
    this.#socket = socket
    this.shares = shares
    this.#bytesMax = bytesMax
  }

  #charge(bytes: number): void {
    for (const share of this.shares) share.bytes += bytes - this.bytes
    this.bytes = bytes
  }

  chargeWhole(bytes: number): void {
    this.#isWhole = true
    this.#charge(bytes)
  }

  release(): void {
    this.#charge(0)
    for (const { unread } of this.shares) unread.delete(this)
  }

  closeIfStalled(now: number): boolean {
    if (now - this.#takenAt < stalledMs) return false
    this.release()
    this.#socket.destroy()
    return true
  }

  /** The response is being written from now on. */
  follow(now: number, isPaced: boolean): void {
    this.#isPaced = isPaced
    this.#takenAt = now
    this.#writing = { since: now, sentBefore: sentBy(this.#socket) }
    this.look(now)
  }

  /** Looks at what the client has taken meanwhile, and closes its connection when that is too little. */
  look(now: number): void {
    const writing = this.#writing
    if (!writing) return
    const taken = sentBy(this.#socket) - writing.sentBefore
    if (!this.#isWhole) this.#charge(this.#socket.writableLength)
    const hasTaken = taken > this.#taken
    if (hasTaken) this.#takenAt = now
    this.#taken = taken
    for (const { unread } of this.shares) {
      if (hasTaken || this.bytes === 0) unread.delete(this)
      if (this.bytes > 0) unread.add(this)
    }
    const allowedMs = graceMs + (taken / slowestBytesPerSecond) * 1000
    const isTooMuch = !this.#isWhole && this.bytes > this.#bytesMax
    if (isTooMuch || (this.#isPaced && now - writing.since > allowedMs)) this.#socket.destroy()
  }
}

/** How many bytes a socket has handed to the system. */
const sentBy = (socket: Socket): number => (socket.bytesWritten ?? 0) - socket.writableLength
