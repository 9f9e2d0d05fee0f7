/** A position of the feed, and the id with which a client resumes after it: that of the event there, or of the position (`placeIdOf`). */
export type StreamPlace = { position: number; id: string }

/** Where a stream starts: after the place `after`. `last` is the newest place at that time. */
export type StreamStart = { after: StreamPlace; last: StreamPlace }
