import { type Json, json, jsonArray } from "../../../core/kernel/json/json.ts"
import { STATUS_CODES } from "../../../core/server/exchange/node-http.ts"
import { version } from "../../../program.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import type { Har, HarEntry } from "./contract.ts"

/** A document of entries that are JSON text; it says so when these are not all. */
export function harOf(entries: readonly Json<HarEntry>[], isComplete: boolean): Json<Har> {
  const creator = json({ name: "Petstore", version })
  const comment = isComplete ? "" : ',"comment":"Older requests are left out; name fewer with limit, since or a filter"'
  return `{"log":{"version":"1.2","creator":${creator},"entries":${jsonArray(entries)}${comment}}}` as Json<Har>
}

/** A recorded request as an entry. `url` is that of its sandbox, below which paths are; that of a message to a webhook is whole. */
export function toHarEntry(recorded: RecordedRequest, url: string): HarEntry {
  const { time, durationMs, method, path, status = 0, request, response, ...facts } = recorded
  const address = facts.webhook === undefined ? url + path : path
  return {
    startedDateTime: time,
    time: durationMs,
    request: {
      method,
      url: address,
      ...messageOf(request),
      queryString: [...new URLSearchParams(path.split("?").slice(1).join("?"))].map(toPair),
      ...(request.body !== undefined && { postData: { mimeType: typeOf(request), text: request.body } }),
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? "",
      ...messageOf(response),
      content: {
        size: Buffer.byteLength(response.body ?? ""),
        mimeType: typeOf(response),
        ...(response.body !== undefined && { text: response.body }),
      },
      redirectURL: response.headers.location ?? "",
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _petstore: facts,
  }
}

type Message = RecordedRequest["response"]

const messageOf = (message: Message) => ({
  httpVersion: "HTTP/1.1",
  cookies: [],
  headers: Object.entries(message.headers).map(toPair),
  headersSize: -1,
  bodySize: sizeOf(message),
})

const toPair = ([name, value]: [string, string]) => ({ name, value })

/** What is not shown has another size. */
const sizeOf = ({ body, isTruncated, bodyNotRead }: Message): number =>
  body === undefined || isTruncated || bodyNotRead ? -1 : Buffer.byteLength(body)

const typeOf = ({ headers }: Message): string => headers["content-type"] ?? ""
