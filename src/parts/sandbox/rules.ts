import type { Delay } from "./model.ts"

/** Maximum seconds of a delay. */
export const delaySecondsMax = 30

/** The seconds of a delay, with milliseconds; `draw` is from 0 to below 1. */
export function delaySeconds(delay: Delay, draw: number): number {
  const seconds =
    "spread" in delay
      ? delay.seconds * Math.exp(delay.spread * normal(draw))
      : delay.seconds + (2 * draw - 1) * delay.jitterSeconds
  return Math.round(Math.min(seconds, delaySecondsMax) * 1000) / 1000
}

/** A number with the standard normal distribution (Box and Muller, 1958), from one draw, whose lower digits are a second one. */
function normal(draw: number): number {
  const other = (draw * 2 ** 16) % 1
  return Math.sqrt(-2 * Math.log(1 - draw)) * Math.cos(2 * Math.PI * other)
}
