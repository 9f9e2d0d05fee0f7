import { Problem } from "../../../core/kernel/problem.ts"
import { tooLargeBody } from "../../../core/server/reading/body.ts"
import { parseText } from "../../../core/server/reading/json-text.ts"

const code = (character: string): number => character.charCodeAt(0)
const [quote, backslash, comma, colon] = [code('"'), code("\\"), code(","), code(":")]
const [openBracket, closeBracket, openBrace, closeBrace] = [code("["), code("]"), code("{"), code("}")]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
/** A byte order mark, which a text may begin with. */
const isMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf

/** A value that is in memory as a whole, such as a row. */
const valueBytesMax = 16 * 1024 * 1024

/** Reads a JSON text (RFC 8259) of any size as it arrives, value by value. Its text is kept, except for objects that are skipped. */
export class JsonScanner {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #keptBytesMax: number
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  /** Where in the chunk begins what is kept; undefined while it is skipped. */
  #keptFrom: number | undefined = 0
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(source: AsyncIterable<Uint8Array>, keptBytesMax: number) {
    this.#source = source[Symbol.asyncIterator]()
    this.#keptBytesMax = keptBytesMax
  }

  get isSkipping(): boolean {
    return this.#keptFrom === undefined
  }

  /** The names of the members of an object. The value of each must be read before the next. */
  async *members(): AsyncGenerator<string> {
    for await (const _ of this.#items(openBrace, closeBrace)) {
      const name = parseText(await this.value())
      if (typeof name !== "string") throw notJson("a name of a member must be a text")
      await this.#expect(colon)
      yield name
    }
  }

  /** Counts the elements of an array from 0. Each must be read before the next. */
  async *elements(): AsyncGenerator<number> {
    let n = 0
    for await (const _ of this.#items(openBracket, closeBracket)) yield n++
  }

  isAtObject = async (): Promise<boolean> => (await this.#next()) === openBrace
  isAtArray = async (): Promise<boolean> => (await this.#next()) === openBracket
  isAtEnd = async (): Promise<boolean> => (await this.#next()) === undefined

  /** The text of the next value, of which only the end was looked for. */
  async value(): Promise<Buffer> {
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of this.pieces()) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > valueBytesMax) throw new Problem("body-too-large", "A value in the body is larger than 16 MiB")
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  }

  /** The same as it arrives. */
  async *pieces(): AsyncGenerator<Buffer> {
    const first = await this.#next()
    if (first === undefined || first === comma || first === colon || first === closeBracket || first === closeBrace)
      throw notJson("a value is missing")
    const end = createValueEnd()
    for (let isLast = false; !isLast; ) {
      const [chunk, from] = [this.#chunk, this.#at]
      const at = end.find(chunk, from)
      this.#at = at ?? chunk.length
      yield chunk.subarray(from, at)
      isLast = at !== undefined || !(await this.#more())
    }
  }

  /** Reads an object of which only `{}` is kept. */
  async skip(read: () => Promise<void>): Promise<void> {
    this.#keep()
    this.#kept.push(Buffer.from("{}"))
    this.#keptFrom = undefined
    await read()
    this.#keptFrom = this.#at
  }

  /** Reads to the end. Returns the text that was kept. */
  async rest(): Promise<Buffer> {
    do this.#at = this.#chunk.length
    while (await this.#more())
    return Buffer.concat(this.#kept)
  }

  async *#items(open: number, close: number): AsyncGenerator<void> {
    await this.#expect(open)
    if ((await this.#next()) === close) return void this.#at++
    for (;;) {
      yield
      const next = await this.#next()
      this.#at++
      if (next === close) return
      if (next !== comma) throw notJson(next === undefined ? "it ends too early" : "a comma is missing")
    }
  }

  async #expect(byte: number): Promise<void> {
    if ((await this.#next()) !== byte) throw notJson(`${String.fromCharCode(byte)} is missing`)
    this.#at++
  }

  /** The next byte that is no white space, which is not read yet; undefined at the end. */
  async #next(): Promise<number | undefined> {
    for (;;) {
      for (; this.#at < this.#chunk.length; this.#at++) {
        const byte = this.#chunk[this.#at] as number
        if (!isSpace(byte) && !isMark(byte)) return byte
      }
      if (!(await this.#more())) return undefined
    }
  }

  async #more(): Promise<boolean> {
    this.#keep()
    const { done, value } = await this.#source.next()
    this.#chunk = done ? Buffer.alloc(0) : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    this.#at = 0
    if (!this.isSkipping) this.#keptFrom = 0
    return !done
  }

  #keep(): void {
    if (this.#keptFrom === undefined) return
    const piece = this.#chunk.subarray(this.#keptFrom, this.#at)
    this.#keptFrom = this.#at
    this.#keptBytes += piece.length
    if (this.#keptBytes > this.#keptBytesMax) throw tooLargeBody(this.#keptBytesMax)
    this.#kept.push(piece)
  }
}

const notJson = (reason: string): Problem => new Problem("malformed-json", `The body is not valid JSON: ${reason}`)

/** Finds the end of a value in chunks that follow each other. */
function createValueEnd() {
  let depth = 0
  let isInString = false
  let isEscaped = false
  return {
    /** The index behind the value in a chunk; undefined when it ends in a later one. */
    find(chunk: Buffer, from: number): number | undefined {
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) {
            isInString = false
            if (depth === 0) return at + 1
          }
        } else if (byte === quote) isInString = true
        else if (byte === openBracket || byte === openBrace) depth++
        else if (byte === closeBracket || byte === closeBrace) {
          if (depth === 0) return at
          if (--depth === 0) return at + 1
        } else if (depth === 0 && (byte === comma || byte === colon || isSpace(byte))) return at
      }
      return undefined
    },
  }
}
