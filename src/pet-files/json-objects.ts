import { Container, choosePets } from "./json-container.ts"
import { JsonPart } from "./json-part.ts"
import type { Line } from "./lines.ts"
import { noPets } from "./no-pets.ts"

/** Bytes of elements that are held until it is known which of them are pets. */
const heldBytesMax = 16 * 1024 * 1024
/** What an element costs at least. */
const elementBytesMin = 64
/** Containers within each other: an array two levels below the outermost object. */
const containersMax = 4

/**
 * Splits JSON objects, on any number of lines and with or without commas between them, into pets with the number of their first
 * line. An object without a name that contains objects in an array or under keys of their own, up to two levels down, contains pets:
 * those of the only such collection, or of the one named `pets`. A pet longer than any pet is skipped without buffering. Throws a
 * Problem for an object with several collections, none named `pets`. `names` are the members that name a pet.
 */
export async function* readObjects(
  chunks: AsyncIterable<Uint8Array>,
  names: ReadonlySet<string>,
): AsyncGenerator<Line> {
  const scan = new ObjectScan(names)
  for await (const chunk of chunks) {
    scan.read(chunk)
    yield* scan.take()
  }
  scan.end()
  yield* scan.take()
}

/** Whether the text of a JSON object contains pets, instead of being one. Throws a Problem as `readObjects` does. */
export function containsPets(text: string, names: ReadonlySet<string>): boolean {
  const scan = new ObjectScan(names)
  scan.read(Buffer.from(text))
  return scan.hasFoundPets
}

const [lineFeed, space] = [0x0a, 0x20]
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
/** What may stand between objects: a comma, and a byte order mark. */
const between: ReadonlySet<number> = new Set([comma, 0xef, 0xbb, 0xbf])
const noBytes = new Uint8Array()

class ObjectScan {
  hasFoundPets = false
  readonly #names: ReadonlySet<string>
  #ready: Line[] = []
  #line = 1
  #isText = false
  #isEscaped = false
  #object = new JsonPart()
  #text = new JsonPart()
  /** The open containers, from outside. */
  #open: Container[] = []
  /** Objects and arrays that are open within the innermost container, none of them one. */
  #depthWithin = 0
  #isStreaming = false
  #heldBytes = 0

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  take(): Line[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  read(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === lineFeed) this.#line += 1
      if (this.#isText) this.#readText(chunk, at, byte)
      else if (byte > space) this.#readToken(chunk, at, byte)
      // Text between objects is invalid, and ends with its line.
      else if (byte === lineFeed && this.#open.length === 0 && this.#object.isOpen) this.#endObject(chunk, at)
    }
    this.#object.hold(chunk)
    this.#text.hold(chunk)
    for (const { value } of this.#open) value.hold(chunk)
  }

  /** Reports what the file ends in the middle of. */
  end(): void {
    if (!this.#object.isOpen) return
    const whole = this.#object.close(noBytes, 0, true)
    const values = this.#open.filter(({ value }) => value.isOpen)
    for (const { isStreamed, value } of values) if (isStreamed) this.#ready.push(value.close(noBytes, 0, true))
    const isContainer = this.#isStreaming || values.length > 0 || this.#heldBytes > 0
    this.#ready.push(isContainer ? { number: this.#line, bytes: noBytes, isUnended: true } : whole)
  }

  #readText(chunk: Uint8Array, at: number, byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#isText = false
      if (!this.#text.isOpen) return
      const { bytes } = this.#text.close(chunk, at)
      const container = this.#open.at(-1)
      if (container) container.key = new TextDecoder().decode(bytes ?? noBytes)
    }
  }

  #readToken(chunk: Uint8Array, at: number, byte: number): void {
    if (byte === quote) this.#isText = true
    const container = this.#open.at(-1)
    if (!container && !between.has(byte)) this.#object.open(at, this.#line)
    const isStart = byte === openBracket || byte === openBrace
    if (byte === closeBracket || byte === closeBrace) this.#readEnd(chunk, at)
    else if (this.#depthWithin > 0) this.#depthWithin += isStart ? 1 : 0
    else if (container) this.#readInContainer(container, chunk, at, byte)
    else if (isStart) this.#open.push(new Container("", byte === openBracket))
  }

  #readInContainer(container: Container, chunk: Uint8Array, at: number, byte: number): void {
    if (byte === comma) {
      this.#endValue(container, chunk, at)
      container.isAfterColon = false
    } else if (!container.isArray && !container.isAfterColon) {
      if (byte === colon) container.isAfterColon = true
      else if (byte === quote) this.#text.open(at + 1, this.#line)
    } else {
      if (byte === quote && !container.isArray && this.#names.has(container.key)) container.hasName = true
      container.beginValue(byte === openBrace, at, this.#line)
      if (byte === openBracket || byte === openBrace) this.#start(container, byte === openBracket)
    }
  }

  #start(container: Container, isArray: boolean): void {
    if (container.isArray || this.#open.length === containersMax) {
      this.#depthWithin = 1
      return
    }
    const member = new Container(container.memberPath, isArray)
    this.#isStreaming ||= member.isStreamed
    this.#open.push(member)
  }

  #readEnd(chunk: Uint8Array, at: number): void {
    if (this.#depthWithin > 0) {
      this.#depthWithin -= 1
      return
    }
    const container = this.#open.at(-1)
    if (container) this.#endValue(container, chunk, at)
    if (this.#open.length < 2) this.#endObject(chunk, at + 1)
    else this.#open.pop()
    if (container && !this.#isStreaming) this.#open.at(-1)?.endMember(container)
  }

  #endValue(container: Container, chunk: Uint8Array, at: number): void {
    if (!container.value.isOpen) return
    const element = container.value.close(chunk, at)
    if (container.isStreamed) this.#ready.push(element)
    if (this.#isStreaming) return
    this.#heldBytes += Math.max(element.bytes?.length ?? 0, elementBytesMin)
    if (this.#heldBytes > heldBytesMax)
      throw noPets(
        `has the large collection ${JSON.stringify(container.path)}: if it contains the pets, import it alone`,
      )
    container.addElement(element)
  }

  #endObject(chunk: Uint8Array, end: number): void {
    const whole = this.#object.close(chunk, end)
    const [outermost] = this.#open
    const found = choosePets((!this.#isStreaming && outermost?.collections()) || new Map())
    this.hasFoundPets ||= this.#isStreaming || found.size > 0
    if (found.size > 1)
      throw noPets(`has several collections: ${[...found.keys()].join(", ")}. Rename the one with the pets to "pets"`)
    const lines = this.#isStreaming ? [] : found.size === 0 ? [whole] : [...found.values()].flat()
    this.#ready = this.#ready.concat(lines)
    this.#open = []
    this.#heldBytes = 0
    this.#isStreaming = false
  }
}
