/** A position of the feed, and the id with which a client resumes after it: that of the event there, or of the position (`eventIdAt`). */
export type StreamPosition = { position: number; id: string }

/** Where a stream starts: after the position `after`. `last` is the newest position at that time. */
export type StreamStart = { after: StreamPosition; last: StreamPosition }

/** What the feed has at a position. */
export type FeedPosition = StreamPosition & {
  /** The id of the event there; undefined when none is kept. */
  event: string | undefined
  /** The newest position. */
  last: number
  /** The position of the last event that was removed; every later one is kept. */
  removed: number
}
