/** A position of the feed, and the id with which a client resumes after it: that of the event there, or of the position (`eventIdAt`). */
export type StreamPlace = { position: number; id: string }

/** Where a stream starts: after the place `after`. `last` is the newest place at that time. */
export type StreamStart = { after: StreamPlace; last: StreamPlace }

/** What the feed has at a position. */
export type FeedPlace = StreamPlace & {
  /** The id of the event there; undefined when none is kept. */
  event: string | undefined
  /** The newest position. */
  last: number
  /** The position of the last event that was removed; every later one is kept. */
  removed: number
}
