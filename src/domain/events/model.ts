/** Where a stream of events begins: behind the place `after`. `last` is the last place that was given when that was decided. */
export type StreamStart = { after: number; last: number }
