/** Maximum time that a piece of work holds the event loop, in milliseconds. */
const sliceMs = 5

let waiting = 0
let lastTurn: Promise<unknown> = Promise.resolve()

/** Resolves in a turn of the event loop that no other waiting work shares: their slices would add up. */
async function waitForTurn(): Promise<void> {
  waiting++
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  await lastTurn
  waiting--
}

/** The turns of the event loop in which one piece of long work runs. */
export type Yielder = {
  /** Waits behind work that is already waiting. */
  start(): Promise<void>
  isOver(): boolean
  next(): Promise<void>
}

/** Divides long work into slices, between which other work runs. */
export function createYielder(): Yielder {
  let startedAt = performance.now()
  return {
    async start() {
      if (waiting > 0) await this.next()
    },
    isOver: () => performance.now() - startedAt >= sliceMs,
    async next() {
      await waitForTurn()
      startedAt = performance.now()
    },
  }
}
