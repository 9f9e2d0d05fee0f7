// Decision: docs/decisions/observability.md#log-lines-are-batched-before-pinos-destination

/** The size of a batch in UTF-16 code units: about 300 request lines, in at least as many bytes. */
export const batchLength = 64_000
/** The maximum being written or waiting; lines beyond it are dropped. */
const waitingLengthMax = 8 * 1024 * 1024
const flushDelayMs = 200

/** Writes its buffer when that is a batch, or on `flush`. Emits `drain` after a `write` that returned false, as a Writable does. */
type Destination = {
  write(text: string): unknown
  on(event: "drain", listener: () => void): unknown
  flush(done?: () => void): void
  flushSync(): void
}

/**
 * Collects lines and passes them on as one text, when they fill a batch or after 200 ms. The destination measures its whole
 * buffer on each write, and writes one text per turn of the event loop; for single lines both take longer than everything else.
 * Lines wait here while it writes. The number of dropped lines is reported once there is space again.
 */
export function createLineBatch(destination: Destination, reportLost: (count: number) => void) {
  let lines = ""
  let lost = 0
  let writingLength = 0
  let timer: NodeJS.Timeout | undefined

  function handOver(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = lines
    lines = ""
    if (batch !== "" && destination.write(batch) === false) writingLength += batch.length
  }

  function flush(done?: () => void): void {
    handOver()
    destination.flush(done)
  }

  function handOverInTime(): void {
    if (writingLength > 0 || lines === "") return
    if (lines.length >= batchLength) handOver()
    else timer ??= setTimeout(flush, flushDelayMs).unref()
  }

  destination.on("drain", () => {
    writingLength = 0
    handOverInTime()
    if (lost === 0) return
    const count = lost
    lost = 0
    reportLost(count)
  })

  return {
    write(line: string): void {
      if (writingLength + lines.length + line.length > waitingLengthMax) {
        lost++
        return
      }
      lines += line
      handOverInTime()
    },
    /** Passes the collected lines to the destination, which writes them when the process ends. */
    handOver,
    /** Calls back when everything so far is written. */
    flush,
    /** Called by a logger after a line that may be its last. */
    flushSync(): void {
      handOver()
      destination.flushSync()
    },
  }
}
