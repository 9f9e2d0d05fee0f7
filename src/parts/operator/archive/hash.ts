import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"

/** Number of bytes, and their SHA-256 in hex. */
export type Sum = { bytes: number; sha256: string }

/** Passes bytes through and calls `end` with their sum at the end. */
export async function* summing(source: AsyncIterable<Uint8Array>, end: (sum: Sum) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const chunk of source) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  end({ bytes, sha256: hash.digest("hex") })
}

export async function sumOf(source: AsyncIterable<Uint8Array>): Promise<Sum> {
  let sum: Sum = { bytes: 0, sha256: "" }
  for await (const _ of summing(source, (found) => (sum = found)));
  return sum
}

export const sumOfFile = (path: string): Promise<Sum> => sumOf(createReadStream(path))

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
