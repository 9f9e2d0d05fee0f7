import type { Exchanged, JournalEntry, RecordedBody } from "../domain/sandbox/model.ts"

/** What an entry takes besides its texts, and a text besides its characters, in bytes. */
const [entryBytes, textBytes] = [1024, 40]

/** The memory that an entry takes, in bytes; a character may take two. */
export function weigh(content: JournalEntry["content"]): number {
  if (typeof content === "string") return entryBytes + 2 * content.length
  const { path, query, requestHeaders, responseHeaders, addedHeaders, requestBody, responseBody } = content
  const headers = weighHeaders(requestHeaders) + weighHeaders(responseHeaders) + weighHeaders(addedHeaders)
  return entryBytes + 2 * (path.length + query.length) + headers + weighBody(requestBody) + weighBody(responseBody)
}

function weighHeaders(headers: Exchanged["requestHeaders"]): number {
  let bytes = textBytes * headers.length
  for (const text of headers) bytes += text.length
  return bytes
}

function weighBody(body: RecordedBody): number {
  if (body === undefined) return 0
  if (typeof body === "string") return 2 * body.length
  return "latin1" in body ? body.latin1.length : body.byteLength
}
