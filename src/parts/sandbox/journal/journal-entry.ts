import type { Exchanged, ExchangeFacts, JournalEntry, RecordedMessages } from "../model.ts"
import type { Chunks } from "./chunks.ts"

/** What an entry takes besides what was sent, in bytes. */
const entryBytes = 512
/** Bytes of a body that are kept. */
const bodyBytesMax = 16 * 1024
/** A longer text of a response is kept as it is: copying a page to memory that is in no cache costs 10 % of its request. */
const copiedLengthMax = 4 * 1024
/** Of a longer one the beginning is copied. */
const wholeLengthMax = 64 * 1024
/** Separates texts. No request target and no header contains it (RFC 9110, section 5.5). */
const separator = "\0"

/**
 * An entry whose content is in a chunk: the beginning of the request's body, and a text with the headers and the response's body.
 * Objects in the heap would outlive four scavenges and then wait for a full collection.
 */
export class Entry implements JournalEntry {
  readonly id: number
  readonly at: number
  /** Among the entries of all journals. */
  readonly position: number
  readonly facts: ExchangeFacts
  readonly chunk: Buffer
  readonly end: number
  readonly #start: number
  readonly #textStart: number
  readonly #isRequestCut: boolean
  /** The response's body, if the chunk does not have it. */
  readonly #response: string | Uint8Array | undefined
  #isRemoved = false

  /** Writes after the latest entry if its chunk has the space, otherwise into another one. */
  constructor(
    { id, at, position }: { id: number; at: number; position: number },
    exchanged: Exchanged,
    latest: Entry | undefined,
    chunks: Chunks,
  ) {
    this.id = id
    this.at = at
    this.position = position
    this.facts = exchanged.facts
    const { requestBody, responseBody } = exchanged
    const isCopied = typeof responseBody === "string" && responseBody.length <= copiedLengthMax
    this.#response = isCopied ? undefined : wholeOrBeginning(responseBody)
    this.#isRequestCut = exchanged.isRequestCut === true || (requestBody?.length ?? 0) > bodyBytesMax
    const request = this.#isRequestCut ? requestBody?.subarray(0, bodyBytesMax) : requestBody
    const requestBytes = request?.length ?? 0
    const text = textOf(exchanged, isCopied ? responseBody : "")
    const isAppended = latest !== undefined && hasSpace(latest, requestBytes, text)
    this.chunk = isAppended ? latest.chunk : chunks.take(requestBytes + Buffer.byteLength(text))
    this.#start = isAppended ? latest.end : 0
    this.#textStart = this.#start + requestBytes
    if (request) this.chunk.set(request, this.#start)
    this.end = this.#textStart + this.chunk.write(text, this.#textStart)
  }

  /** A character that is not in the chunk may take two bytes. */
  get bytes(): number {
    const { explanation = "" } = this.facts
    return entryBytes + this.end - this.#start + 2 * ((this.#response?.length ?? 0) + explanation.length)
  }

  read(): RecordedMessages | undefined {
    if (this.#isRemoved) return undefined
    const text = this.chunk.toString("utf8", this.#textStart, this.end)
    const [path, query, requestTexts, responseTexts, ...rest] = text.split(separator) as [string, string, ...string[]]
    const [responseStart, bodyStart] = [Number(requestTexts), Number(requestTexts) + Number(responseTexts)]
    const requestBody = this.chunk.subarray(this.#start, this.#textStart)
    return {
      path,
      query,
      requestHeaders: rest.slice(0, responseStart),
      responseHeaders: rest.slice(responseStart, bodyStart),
      requestBody: requestBody.length === 0 ? undefined : { bytes: requestBody, isCut: this.#isRequestCut },
      responseBody: beginningOf(this.#response ?? rest.slice(bodyStart).join(separator)),
    }
  }

  remove(): void {
    this.#isRemoved = true
  }
}

/** One text, because one long write takes less time than many short ones. */
function textOf({ path, query, requestHeaders, responseHeaders }: Exchanged, body: string): string {
  let responseTexts = 0
  for (const part of responseHeaders) responseTexts += part.length
  let text = path + separator + query + separator + requestHeaders.length + separator + responseTexts + separator
  for (const header of requestHeaders) text += header + separator
  for (const part of responseHeaders) for (const header of part) text += header + separator
  return text + body
}

/** Measures a text only where it may not fit. */
function hasSpace({ end, chunk }: Entry, requestBytes: number, text: string): boolean {
  const free = chunk.length - end - requestBytes
  return 3 * text.length <= free || (text.length <= free && Buffer.byteLength(text) <= free)
}

/** A long body's beginning has a byte more than is kept, which shows that it was longer. */
function wholeOrBeginning(body: string | Uint8Array | undefined): string | Uint8Array | undefined {
  if (body === undefined || (typeof body === "string" && body.length <= wholeLengthMax)) return body
  return typeof body === "string" ? Buffer.from(body.slice(0, bodyBytesMax + 1)) : body.slice(0, bodyBytesMax + 1)
}

function beginningOf(body: string | Uint8Array): RecordedMessages["responseBody"] {
  if (body.length === 0) return undefined
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return { bytes: bytes.subarray(0, bodyBytesMax), isCut: bytes.length > bodyBytesMax }
}
