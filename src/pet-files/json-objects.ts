import { HeldBytes } from "./held-bytes.ts"
import type { Line } from "./lines.ts"
import { noPets } from "./no-pets.ts"

/** The array of pets in an object that contains it with others. */
const arrayOfPets = "pets"
/** Arrays of a pet itself. */
const arraysOfPet: ReadonlySet<string | undefined> = new Set(["photoUrls", "tags"])
/** Bytes of arrays that are held until it is known that the object has no other. */
const heldBytesMax = 16 * 1024 * 1024

/**
 * Splits JSON objects, on any number of lines and with or without commas between them, into pets with the number of their first
 * line. An object without a name that has the array `pets`, or no other array of objects, contains pets: the elements of the array.
 * A pet longer than any pet is skipped without buffering. Throws a Problem for an object with several arrays, none named `pets`.
 */
export async function* readObjects(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const scan = new ObjectScan()
  for await (const chunk of chunks) {
    scan.read(chunk)
    yield* scan.take()
  }
  scan.end()
  yield* scan.take()
}

/** Whether a JSON object contains pets, instead of being one. */
export function containsPets(value: object): boolean {
  const arrays = Object.entries(value).filter(([key, each]) => Array.isArray(each) && !arraysOfPet.has(key))
  const isOfObjects = ([, [first]]: [string, unknown[]]) => typeof first === "object" && first !== null
  return arrayOfPets in value || (!("name" in value) && arrays.some(isOfObjects))
}

/** The bytes of an object or element, which may be in several chunks. */
class Part {
  #held = new HeldBytes()
  #start: number | undefined
  #number = 0

  get isOpen(): boolean {
    return this.#start !== undefined
  }

  /** Starts the part, unless it has started. */
  open(at: number, line: number): void {
    if (this.#start !== undefined) return
    this.#start = at
    this.#number = line
  }

  /** Holds the bytes of a chunk that ends within the part. */
  hold(chunk: Uint8Array): void {
    if (this.#start === undefined) return
    this.#held.add(chunk.subarray(this.#start))
    this.#start = 0
  }

  close(rest: Uint8Array, end: number, isUnended = false): Line {
    this.#held.add(rest.subarray(this.#start, end))
    this.#start = undefined
    return { number: this.#number, bytes: this.#held.take(), isUnended }
  }
}

const [lineFeed, space] = [0x0a, 0x20]
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
/** What may stand between objects: a comma, and a byte order mark. */
const between: ReadonlySet<number> = new Set([comma, 0xef, 0xbb, 0xbf])
const nothing = new Uint8Array()

class ObjectScan {
  #ready: Line[] = []
  #line = 1
  #depth = 0
  #isText = false
  #isEscaped = false
  #object = new Part()
  #text = new Part()
  #element = new Part()
  #key: string | undefined
  #isAfterColon = false
  #isPet = false
  /** The array that the scan is in, at depth 2. */
  #list: string | undefined
  #lists = new Map<string, Line[]>()
  #heldBytes = 0

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
      else if (byte === lineFeed && this.#depth === 0 && this.#object.isOpen) this.#endObject(chunk, at)
    }
    for (const part of [this.#object, this.#text, this.#element]) part.hold(chunk)
  }

  /** Reports what the file ends in the middle of. */
  end(): void {
    if (!this.#object.isOpen) return
    const whole = this.#object.close(nothing, 0, true)
    const hasElement = this.#element.isOpen
    if (hasElement && this.#lists.has(arrayOfPets)) this.#ready.push(this.#element.close(nothing, 0, true))
    const isContainer = hasElement || this.#lists.size > 0
    this.#ready.push(isContainer ? { number: this.#line, bytes: nothing, isUnended: true } : whole)
  }

  #readText(chunk: Uint8Array, at: number, byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#isText = false
      if (!this.#text.isOpen) return
      const { bytes } = this.#text.close(chunk, at)
      if (this.#isAfterColon) this.#isPet ||= this.#key === "name"
      else this.#key = bytes && new TextDecoder().decode(bytes)
    }
  }

  #readToken(chunk: Uint8Array, at: number, byte: number): void {
    if (this.#depth === 0 && !between.has(byte)) this.#object.open(at, this.#line)
    if (this.#depth === 2 && this.#list !== undefined) this.#readInList(chunk, at, byte)
    if (byte === quote) {
      this.#isText = true
      if (this.#depth === 1) this.#text.open(at + 1, this.#line)
    } else if (byte === openBracket || byte === openBrace) {
      if (this.#depth === 1 && byte === openBracket) this.#openList()
      this.#depth += 1
    } else if (byte === closeBracket || byte === closeBrace) {
      this.#depth = Math.max(0, this.#depth - 1)
      if (this.#depth === 1) this.#list = undefined
      if (this.#depth === 0) this.#endObject(chunk, at + 1)
    } else if (this.#depth === 1 && (byte === colon || byte === comma)) this.#isAfterColon = byte === colon
  }

  #openList(): void {
    if (!arraysOfPet.has(this.#key)) this.#list = this.#key
    if (this.#key === arrayOfPets) this.#lists.set(arrayOfPets, [])
  }

  #readInList(chunk: Uint8Array, at: number, byte: number): void {
    if (byte === comma || byte === closeBracket || byte === closeBrace) {
      if (this.#element.isOpen) this.#addElement(this.#element.close(chunk, at))
    } else if (byte === openBrace || this.#lists.has(this.#list as string)) this.#element.open(at, this.#line)
    // An array that starts with a text or number is no array of pets.
    else if (!this.#element.isOpen) this.#list = undefined
  }

  #addElement(element: Line): void {
    const name = this.#list as string
    if (name === arrayOfPets) this.#ready.push(element)
    if (this.#lists.has(arrayOfPets)) return
    const elements = this.#lists.get(name) ?? []
    elements.push(element)
    this.#lists.set(name, elements)
    this.#heldBytes += element.bytes?.length ?? 0
    if (this.#heldBytes > heldBytesMax)
      throw noPets(`has the large array ${JSON.stringify(name)}: rename it to "pets" if it contains the pets`)
  }

  #endObject(chunk: Uint8Array, end: number): void {
    const whole = this.#object.close(chunk, end)
    const [lists, isPet] = [this.#lists, this.#isPet]
    this.#lists = new Map()
    this.#heldBytes = 0
    this.#isPet = false
    this.#isAfterColon = false
    if (lists.has(arrayOfPets)) return
    if (isPet || lists.size === 0) this.#ready.push(whole)
    else if (lists.size === 1) this.#ready = this.#ready.concat(...lists.values())
    else throw noPets(`has several arrays: ${[...lists.keys()].join(", ")}. Rename the one with the pets to "pets"`)
  }
}
