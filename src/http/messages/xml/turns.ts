import { setImmediate } from "node:timers/promises"

/** The most time that goes by before everything else has its turn. */
const sliceMs = 5

/** For work that takes long: whether it has had its time, and how it lets everything else go first. */
export function takeTurns(): { isOver(): boolean; next(): Promise<void> } {
  let begun = performance.now()
  return {
    isOver: () => performance.now() - begun >= sliceMs,
    async next() {
      await setImmediate()
      begun = performance.now()
    },
  }
}
