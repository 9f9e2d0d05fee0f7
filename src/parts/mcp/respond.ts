import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { eventStreamType, jsonType } from "../../core/kernel/network/media-types.ts"
import { Problem } from "../../core/kernel/problem.ts"
import { qualityOf } from "../../core/server/reading/content-negotiation.ts"
import { writeMessage } from "./message.ts"

/** The forms of a response that `Accept` (RFC 9110 section 12.5.1) allows. */
export type Forms = { isJson: boolean; isStream: boolean }

/** Throws the 406 when `Accept` excludes both forms. */
export function formsIn(accept = "*/*"): Forms {
  const forms = { isJson: qualityOf(jsonType, accept) > 0, isStream: qualityOf(eventStreamType, accept) > 0 }
  if (forms.isJson || forms.isStream) return forms
  throw new Problem(
    "not-acceptable",
    `The response is ${jsonType} or ${eventStreamType}, which Accept: ${accept} excludes`,
  )
}

/** The response with one message. */
export function writeResponse(message: object, { isJson }: Forms): HttpResponse {
  const text = JSON.stringify(message)
  const headers = ["cache-control", "no-store", "content-type", isJson ? jsonType : eventStreamType]
  return { status: 200, headers, body: isJson ? text : toEvent(text) }
}

/** What the handler of the library accepts; it compares the texts. */
export const acceptedByHandler = `${jsonType}, ${eventStreamType}`

/** The response of the handler in a form that the client accepts: the messages that a stream would have, as JSON unless they are those of a subscription. */
export async function toResponse(response: Response, forms: Forms, isSubscription: boolean): Promise<HttpResponse> {
  const { status, headers } = response
  const text = await response.text()
  const type = headers.get("content-type") ?? ""
  const received = type.startsWith(eventStreamType)
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data as string)
    : [text]
  const kept = [...headers].filter(([name]) => name !== "content-type" && name !== "content-length").flat()
  const common = { status, headers: [...kept, "cache-control", "no-store"] }
  if (text === "") return { ...common, body: undefined }
  const messages = received.map(withSentences)
  const isJson = status !== 200 || (forms.isJson && !(isSubscription && forms.isStream))
  const shown = isSubscription ? messages.slice(-1) : messages
  const body = isJson ? inJson(shown) : messages.map(toEvent).join("")
  return { ...common, headers: [...common.headers, "content-type", isJson ? jsonType : eventStreamType], body }
}

const toEvent = (message: string): string => `event: message\ndata: ${message}\n\n`

/** Several responses are those to a batch. */
const inJson = (messages: readonly string[]): string =>
  messages.length === 1 ? `${messages[0]}` : `[${messages.join()}]`

const withSentences = (message: string): string =>
  message.includes('"error":{') ? JSON.stringify(writeMessage(JSON.parse(message))) : message
