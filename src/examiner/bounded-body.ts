/** A longer body of a response, or a longer line of an adapter, is not read to its end. */
export const examinedBytesMax = 8 * 1024 * 1024

/** The text of a body in UTF-8; undefined when it is longer, and the rest is then not read. */
export async function readBody(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | undefined> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    read.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(read))
}

/** The lines of a text in UTF-8. Ends after one that is longer, which is cut. */
export async function* readBoundedLines(chunks: AsyncIterable<Uint8Array>, lengthMax: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of chunks) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n")
    text = lines.pop() ?? ""
    yield* lines
    if (text.length > lengthMax) break
  }
  if (text !== "") yield text.slice(0, lengthMax)
}
