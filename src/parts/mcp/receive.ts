import { onceForEach } from "../../core/kernel/flow/once-for-each.ts"
import { createYielder } from "../../core/kernel/flow/yielder.ts"
import { jsonType } from "../../core/kernel/network/media-types.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"
import { readRequestBody, tooLargeBody } from "../../core/server/reading/body.ts"
import { parseText } from "../../core/server/reading/json-text.ts"
import { requireMediaType } from "../../core/server/reading/media-type.ts"
import { isCall, type RpcMessage, readMessage } from "./message.ts"
import { allTools, type Further, toolsByName } from "./tools.ts"

const kibibyte = 1024
/** The arguments of a tool may be as large as the body of its operation. The library validates the rest of a message several times. */
const otherBytesMax = 64 * kibibyte
const envelopeBytesMax = 8 * kibibyte
/** In a batch, which only the revision of 2025-03-26 has. */
const messagesMax = 20

/** A body, and the messages in it: several are a batch. */
export type ReceivedMessages = { messages: RpcMessage[]; parsed: unknown }

/**
 * Reads the body of a request. Throws the 413 for arguments that are larger than the operation of
 * the tool takes, and the 400 for broken JSON.
 */
export async function receiveMessages({ request }: Exchange, further: Further): Promise<ReceivedMessages> {
  const received = await readRequestBody(request, argumentBytesMax(further) + envelopeBytesMax)
  requireMediaType(request.headers, [jsonType], received)
  const body = parseText(received, "message")
  const parsed = Array.isArray(body) ? body.map(readMessage) : readMessage(body)
  const messages = [parsed].flat().map((message) => (message ?? {}) as RpcMessage)
  if (messages.length > messagesMax)
    throw new Problem("malformed-request", `A batch has at most ${messagesMax} messages`)
  const bytesMax = Math.max(otherBytesMax, ...messages.map((message) => bytesMaxOf(message, further)))
  if (received.length > bytesMax + envelopeBytesMax) throw tooLargeBody(bytesMax)
  if (received.length > envelopeBytesMax) {
    if (messages.some(isEnvelopeLarge)) throw tooLargeBody(envelopeBytesMax)
    await createYielder().next()
  }
  return { messages, parsed }
}

/** The largest that any tool takes. */
const argumentBytesMax = onceForEach((further: Further) =>
  Math.max(...allTools(further).map(({ bodyBytesMax }) => bodyBytesMax)),
)

function bytesMaxOf(message: RpcMessage, further: Further): number {
  const tool = isCall(message) && toolsByName(further).get(message.params?.name)
  return tool ? tool.bodyBytesMax : 0
}

function isEnvelopeLarge({ params, ...rest }: RpcMessage): boolean {
  const { arguments: _, ...others } = params ?? {}
  return JSON.stringify([rest, others]).length > envelopeBytesMax
}
