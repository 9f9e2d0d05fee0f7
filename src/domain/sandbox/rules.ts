import type { Delay } from "./model.ts"

/** The seconds of a delay; `draw` is from 0 to below 1. */
export const delaySeconds = ({ seconds, jitterSeconds }: Delay, draw: number): number =>
  Math.round((seconds + (2 * draw - 1) * jitterSeconds) * 1000) / 1000
