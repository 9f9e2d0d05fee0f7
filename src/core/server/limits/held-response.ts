import type { Socket } from "node:net"

/** The time before a large response must reach the minimum rate. */
const graceMs = 10_000
const slowestBytesPerSecond = 64 * 1024
/** A client that has taken nothing for this long has stalled. */
const stalledMs = 1_000

/** The memory budget for the responses of one account, or of all. */
export class Share {
  bytes = 0
  responses = 0
  readonly #max: number
  /** Responses being written with unread bytes; the longest unread comes first. */
  readonly unread = new Set<HeldResponse>()

  constructor(max: number) {
    this.#max = max
  }

  hasSpaceFor(bytes: number): boolean {
    return this.bytes + bytes <= this.#max
  }

  /** Closes the connection that has stalled longest; false when every client reads. */
  closeLongestUnread(now: number): boolean {
    const [longest] = this.unread
    return longest?.closeIfStalled(now) ?? false
  }
}

export class HeldResponse {
  readonly #socket: Socket
  /** The budgets it is charged to: that of its account, and the total. */
  readonly shares: readonly [Share, Share]
  readonly #bytesMax: number
  bytes = 0
  /** Charged as a whole until its last byte has been written; of a stream, only unread bytes are charged. */
  #isWhole = false
  /**
   * When writing started, in milliseconds, the socket's sent bytes at that time, and whether the connection is closed when the client
   * reads below the minimum rate; undefined before.
   */
  #writing: { since: number; sentBefore: number; isPaced: boolean } | undefined
  /** How many bytes the client had taken at the last check, and when it last took some. */
  #taken = 0
  #takenAt = 0

  /** `bytesMax` bounds the unread bytes of a stream. */
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

  /** Starts to track the response, which is written from now on. */
  follow(now: number, isPaced: boolean): void {
    this.#takenAt = now
    this.#writing = { since: now, sentBefore: sentBy(this.#socket), isPaced }
    this.update(now)
  }

  /** Updates what the client has taken, and closes its connection when that is too little. */
  update(now: number): void {
    const writing = this.#writing
    if (!writing) return
    const taken = sentBy(this.#socket) - writing.sentBefore
    if (!this.#isWhole) this.#charge(this.#socket.writableLength)
    const hasTaken = taken > this.#taken
    if (hasTaken) this.#takenAt = now
    this.#taken = taken
    for (const { unread } of this.shares) {
      if (hasTaken) unread.delete(this)
      if (this.bytes > 0) unread.add(this)
    }
    const allowedMs = graceMs + (taken / slowestBytesPerSecond) * 1000
    const isTooMuch = !this.#isWhole && this.bytes > this.#bytesMax
    if (isTooMuch || (writing.isPaced && now - writing.since > allowedMs)) this.#socket.destroy()
  }
}

/** How many bytes a socket has handed to the operating system. */
const sentBy = (socket: Socket): number => (socket.bytesWritten ?? 0) - socket.writableLength
