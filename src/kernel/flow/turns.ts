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

/** Divides long work into slices, between which other work runs. */
export function takeTurns() {
  let startedAt = performance.now()
  return {
    /** Waits behind work that is already waiting. */
    async start(): Promise<void> {
      if (waiting > 0) await this.next()
    },
    isOver: (): boolean => performance.now() - startedAt >= sliceMs,
    async next(): Promise<void> {
      await waitForTurn()
      startedAt = performance.now()
    },
  }
}
