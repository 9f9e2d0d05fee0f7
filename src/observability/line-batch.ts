/** As many UTF-16 code units are a batch: some 300 lines of requests, and no fewer bytes. */
export const batchLength = 64_000
/** As many may be in writing or wait for it; lines beyond them are lost. */
export const waitingLengthMax = 8 * 1024 * 1024
const flushDelayMs = 200

/** Writes what it holds when that is a batch or it is told to. After a `write` that returned false it emits `drain` when it can take more, as a Writable does. */
type Destination = {
  write(text: string): unknown
  on(event: "drain", listener: () => void): unknown
  flush(done?: () => void): void
  flushSync(): void
}

/**
 * Collects lines and hands them on as one text, when they are a batch or after 200 ms. The destination measures all it
 * holds with every text it is given, and writes one text a turn of the event loop: for single lines both take longer than
 * everything else about them. While it writes, lines wait here; how many were lost is told once there is room again.
 */
export function createLineBatch(destination: Destination, tellLost: (count: number) => void) {
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
    tellLost(count)
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
