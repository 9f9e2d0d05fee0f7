import { randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { WebhookFaultKind } from "../../../domain/sandbox/faults/contract.ts"
import type { FaultRules, MessageFacts, RequestJournal } from "../../../domain/sandbox/model.ts"
import { delaySeconds } from "../../../domain/sandbox/rules.ts"
import type { Outcome } from "../../../domain/webhooks/deliveries/model.ts"
import { cutInHalf, inPieces } from "../../../kernel/flow/broken-bytes.ts"
import type { Message, Sender } from "./send.ts"

/** How long a reordered message waits for a later one. */
const reorderedMsMax = 5_000
/** The age of a stale message. Receivers accept five minutes (Standard Webhooks). */
const staleMs = 3_600_000

/** A message that can be signed with other secrets, or as if it were `ageMs` old. */
export type Signable = MessageFacts & { sign(other?: { secrets?: readonly string[]; ageMs?: number }): Message }

/** Sends a message; rejects only with the signal's reason, when that aborts the attempt. */
export type SendMessage = (message: Signable, signal: AbortSignal) => Promise<Outcome>

/** The parts of a sandbox that make messages fail. */
export type MessageFaults = { rules: Pick<FaultRules, "ofMessage">; journal: Pick<RequestJournal, "add"> }

/** Sends messages, with the faults that the rules of a sandbox demand; those are recorded in its journal. */
export function faultySending(sender: Sender, { rules, journal }: MessageFaults): SendMessage {
  /** The message of each webhook that waits for a later one. */
  const held = new Map<number, () => void>()

  function untilLater(webhookId: number, signal: AbortSignal): Promise<unknown> {
    const later = new Promise<void>((resolve) => held.set(webhookId, resolve))
    return Promise.race([later, sleep(reorderedMsMax, undefined, { signal })]).finally(() => held.delete(webhookId))
  }

  async function sendAs(kind: WebhookFaultKind, message: Signable, signal: AbortSignal) {
    const { webhookId, sign } = message
    const secrets = [randomBytes(32).toString("base64")]
    const [usual, pause] = [sign(), (ms: number) => sleep(ms, undefined, { signal })]
    const post = async (sent: Message) => ({ sent, outcome: await sender.post(sent, signal) })
    switch (kind) {
      case "reordered":
        if (!held.has(webhookId)) await untilLater(webhookId, signal)
        return post(usual)
      case "duplicate":
        await post(usual)
        return post(usual)
      case "forged":
        return post(sign({ secrets }))
      case "stale":
        return post(sign({ ageMs: staleMs }))
      case "truncated":
        return post(streamed(usual, (bytes) => cutInHalf(bytes, pause)))
      case "slow":
        return post(streamed(usual, (bytes) => inPieces(bytes, pause)))
      case "delayed":
        return post(usual)
    }
  }

  async function send(message: Signable, signal: AbortSignal): Promise<Outcome> {
    const chosen = rules.ofMessage(message)
    if (!chosen) return sender.post(message.sign(), signal)
    const startedAt = performance.now()
    const { kind, delay } = chosen.webhooks
    const seconds = delay && delaySeconds(delay, chosen.draw)
    if (seconds) await sleep(seconds * 1000, undefined, { signal })
    const { sent, outcome } = await sendAs(kind, message, signal)
    journal.add({
      ...{ durationMs: performance.now() - startedAt, method: "POST", path: sent.url, query: "" },
      ...{
        status: outcome.status ?? 0,
        webhookId: message.webhookId,
        requestBody: sent.body,
        responseBody: outcome.answer,
      },
      requestHeaders: Object.entries(sent.headers).flat(),
      ...{ operation: undefined, problem: undefined, caller: undefined, requestId: undefined },
      responseHeaders: [],
      fault: [...(seconds ? [`wait=${seconds}`] : []), `webhook=${kind}`].join(", "),
    })
    return outcome
  }

  return async (message, signal) => {
    try {
      return await send(message, signal)
    } finally {
      held.get(message.webhookId)?.()
    }
  }
}

/** The message with its body as a stream, announced with its whole length. */
const streamed = (message: Message, change: (bytes: Uint8Array) => AsyncIterable<Uint8Array>): Message => {
  const bytes = Buffer.from(message.body)
  const headers = { ...message.headers, "content-length": String(bytes.length) }
  return { ...message, headers, stream: Readable.from(change(bytes), { objectMode: false }) }
}
