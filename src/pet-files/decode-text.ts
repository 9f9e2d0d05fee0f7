import { noPets } from "./no-pets.ts"
import { refuseOtherFormat } from "./other-formats.ts"

/** Bytes that tell the encoding and the format of a file. */
const headBytes = 512
const endOfFile = 0x1a
/** More of them are text. */
const heldMax = 64 * 1024

/**
 * The bytes of a text file in UTF-8, without the Ctrl-Z with which programs of DOS end one. UTF-16 is recognized by its byte order
 * mark, or by the zeros of its first two characters. Throws a Problem for a file that is no text.
 */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { head, all } = await readHead(chunks)
  const encoding = encodingOf(head)
  refuseOtherFormat(head, encoding)
  return dropEndOfFile(encoding === undefined ? all : toUtf8(all, encoding))
}

async function readHead(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let count = 0
  let isOver = false
  while (!isOver && count < headBytes) {
    const next = await source.next()
    isOver = next.done === true
    if (next.done) continue
    read.push(next.value)
    count += next.value.length
  }
  const all = (async function* () {
    yield* read
    if (!isOver) yield* { [Symbol.asyncIterator]: () => source }
  })()
  return { head: Buffer.concat(read).subarray(0, headBytes), all }
}

type Utf16 = "utf-16le" | "utf-16be"

function encodingOf(head: Uint8Array): Utf16 | undefined {
  const [first, second, third, fourth] = head
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first && second === 0 && third && fourth === 0) return "utf-16le"
  return first === 0 && second && third === 0 && fourth ? "utf-16be" : undefined
}

async function* toUtf8(chunks: AsyncIterable<Uint8Array>, encoding: Utf16): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }))
    } catch {
      throw noPets("is in UTF-16, with characters that are invalid or incomplete: save it as UTF-8")
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}

async function* dropEndOfFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = 0
  for await (const chunk of chunks) {
    const end = chunk.findLastIndex((byte) => byte !== endOfFile) + 1
    if (held > 0 && (end > 0 || held > heldMax)) {
      yield Buffer.alloc(held, endOfFile)
      held = 0
    }
    if (end > 0) yield chunk.subarray(0, end)
    held += chunk.length - end
  }
}
