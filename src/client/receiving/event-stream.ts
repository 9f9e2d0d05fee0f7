/** A message of an event stream: the id to resume after, and the data, which is absent when the message only states a position. */
export type StreamMessage = { id: string | undefined; data: string | undefined }

/** Reads the messages of an event stream (WHATWG HTML section 9.2.6); omits an incomplete last one. */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  let fields: StreamMessage = { id: undefined, data: undefined }
  for await (const line of linesOf(body)) {
    if (line !== "") {
      take(line, fields)
      continue
    }
    if (fields.id !== undefined || fields.data !== undefined) yield fields
    fields = { id: undefined, data: undefined }
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be followed by a line feed.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() as string
    yield* lines
  }
}

function take(line: string, fields: StreamMessage): void {
  const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === "id" && !value.includes("\0")) fields.id = value
  if (name === "data") fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`
}
