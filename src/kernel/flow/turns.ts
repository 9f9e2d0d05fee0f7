/** The longest a piece of work holds the event loop before everything else has its turn, in milliseconds. */
const sliceMs = 5

let waiting = 0
let lastTurn: Promise<unknown> = Promise.resolve()

/** Resolves in a turn of the event loop in which nothing else that waits here goes on: their slices would add up. */
async function waitForTurn(): Promise<void> {
  waiting++
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  await lastTurn
  waiting--
}

/** For work that takes long: whether it has had its time, and how it lets everything else go first. */
export function takeTurns() {
  let startedAt = performance.now()
  return {
    /** Waits behind the work that waits already. */
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
