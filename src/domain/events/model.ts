/** Where a stream starts: after the position `after`. `last` is the newest position at that time. */
export type StreamStart = { after: number; last: number }
