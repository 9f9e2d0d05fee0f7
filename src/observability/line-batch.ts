/** In UTF-16 code units; about 300 lines of requests. */
const lengthMax = 65_536
const flushDelayMs = 200

type Destination = { write(text: string): unknown; flushSync(): void }

/**
 * Collects lines and hands them on as one text, when they are many or after 200 ms. The destination itself measures all
 * it holds with every line it is given, which takes longer than everything else about a line.
 */
export function createLineBatch(destination: Destination) {
  let lines = ""
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = lines
    lines = ""
    if (batch !== "") destination.write(batch)
  }

  return {
    write(line: string): void {
      lines += line
      if (lines.length >= lengthMax) flush()
      else timer ??= setTimeout(flush, flushDelayMs).unref()
    },
    flush,
    /** What a logger calls after a line that may be its last. */
    flushSync(): void {
      flush()
      destination.flushSync()
    },
  }
}
