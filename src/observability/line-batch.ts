/** As many UTF-16 code units are a batch: some 80 lines of requests, and less than pino's destination writes at once. */
export const batchLength = 16_000
const flushDelayMs = 200

/** Writes what it holds when that is a batch or it is told to. */
type Destination = { write(text: string): unknown; flush(done?: () => void): void; flushSync(): void }

/**
 * Collects lines and hands them on as one text, when they are a batch or after 200 ms. The destination measures all it
 * holds with every text it is given, which for single lines takes longer than everything else about them.
 */
export function createLineBatch(destination: Destination) {
  let lines = ""
  let timer: NodeJS.Timeout | undefined

  function handOver(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = lines
    lines = ""
    if (batch !== "") destination.write(batch)
  }

  function flush(done?: () => void): void {
    handOver()
    destination.flush(done)
  }

  return {
    write(line: string): void {
      lines += line
      if (lines.length >= batchLength) handOver()
      else timer ??= setTimeout(flush, flushDelayMs).unref()
    },
    /** Gives the destination what was collected; it writes that when the process ends. */
    handOver,
    /** Calls back when everything so far is written. */
    flush,
    /** What a logger calls after a line that may be its last. */
    flushSync(): void {
      handOver()
      destination.flushSync()
    },
  }
}
