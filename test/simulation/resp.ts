/** Returns what reads the commands of one client: the name in capitals, and its arguments. */
export function createCommandReader(): (bytes: Buffer) => string[][] {
  let unread: Buffer = Buffer.alloc(0)

  /** The text after a type and up to the end of a line, and where that is; undefined while it has not arrived. */
  function line(at: number): { text: string; end: number } | undefined {
    const end = unread.indexOf("\r\n", at)
    return end < 0 ? undefined : { text: unread.toString("latin1", at + 1, end), end: end + 2 }
  }

  function readOne(): string[] | undefined {
    const parts: string[] = []
    const head = line(0)
    let end = head?.end ?? 0
    for (let n = 0; n < Number(head?.text); n++) {
      const length = line(end)
      if (!length) return undefined
      end = length.end + Number(length.text) + 2
      if (unread.length < end) return undefined
      parts.push(unread.toString("utf8", length.end, end - 2))
    }
    unread = unread.subarray(end)
    return head && parts
  }

  return (bytes) => {
    unread = Buffer.concat([unread, bytes])
    const commands: string[][] = []
    for (let one = readOne(); one; one = readOne()) commands.push([String(one[0]).toUpperCase(), ...one.slice(1)])
    return commands
  }
}

export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** What a server sends without a command, on a connection of RESP3. */
export const push = (kind: "message" | "subscribe", channel: string, last: string | number): string =>
  `>3\r\n${bulk(kind)}${bulk(channel)}${typeof last === "number" ? `:${last}\r\n` : bulk(last)}`
