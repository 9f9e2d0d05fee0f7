import { randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { Outcome } from "../../../core/domain/webhooks/deliveries/model.ts"
import { cutInHalf, inPieces } from "../../../core/kernel/flow/broken-bytes.ts"
import type { DecorateSending, Signable } from "../../../core/workers/delivery/sending/attempt.ts"
import { type Message, noResponse, type Sender } from "../../../core/workers/delivery/sending/send.ts"
import type { FaultRules, RequestJournal } from "../model.ts"
import { delaySeconds } from "../rules.ts"
import type { WebhookFaultKind } from "./contract.ts"

/** How long a reordered message waits for a later one. */
const reorderedMsMax = 5_000
/** The age of a stale message. Receivers accept five minutes (Standard Webhooks). */
const staleMs = 3_600_000

type MessageFaults = { rules: Pick<FaultRules, "ofMessage">; journal: Pick<RequestJournal, "add"> }

/** Sends messages, with the faults that the rules of a sandbox demand; those are recorded in its journal. */
export const faultySending =
  ({ rules, journal }: MessageFaults): DecorateSending =>
  (sender) => {
    /** The message of each webhook that waits for a later one. */
    const held = new Map<number, () => void>()

    function untilLater(webhookId: number, signal: AbortSignal): Promise<unknown> {
      const later = new Promise<void>((resolve) => held.set(webhookId, resolve))
      return Promise.race([later, sleep(reorderedMsMax, undefined, { signal })]).finally(() => held.delete(webhookId))
    }

    /** Holds a message back for so long; a reordered one also until a later one was sent, unless it is the later one. */
    async function holdBack(kind: WebhookFaultKind, message: Signable, seconds: number, signal: AbortSignal) {
      const { webhookId } = message
      const delayed = seconds > 0 ? await message.hold(sleep(seconds * 1000, undefined, { signal })) : message
      return kind === "reordered" && !held.has(webhookId) ? delayed.hold(untilLater(webhookId, signal)) : delayed
    }

    async function send(message: Signable, signal: AbortSignal): Promise<Outcome> {
      const chosen = rules.ofMessage(message)
      if (!chosen) return sender.post(message.sign(), signal)
      const startedAt = performance.now()
      const { kind, delay } = chosen.webhooks
      const seconds = delay ? delaySeconds(delay, chosen.draw) : 0
      const ready = await holdBack(kind, message, seconds, signal)
      const { sent, outcome } = await sendAs(kind, ready, sender, signal)
      journal.add({
        facts: {
          durationMs: performance.now() - startedAt,
          operation: undefined,
          webhookId: message.webhookId,
          method: "POST",
          status: outcome.status,
          problem: undefined,
          fault: [...(seconds ? [`wait=${seconds}`] : []), `webhook=${kind}`].join(", "),
          caller: undefined,
        },
        ...partsOf(sent.url),
        requestHeaders: Object.entries(sent.headers).flat(),
        responseHeaders: [],
        requestBody: Buffer.from(sent.body),
        responseBody: outcome.response,
      })
      return outcome
    }

    return async (message, signal) => {
      // One that is held from now on waits for a message that starts after it.
      const release = held.get(message.webhookId)
      try {
        return await send(message, signal)
      } finally {
        release?.()
      }
    }
  }

/** Sends a message with this fault, and returns what was sent last. */
async function sendAs(kind: WebhookFaultKind, { sign }: Signable, sender: Sender, signal: AbortSignal) {
  const secrets = [randomBytes(32).toString("base64")]
  const [usual, pause] = [sign(), (ms: number) => sleep(ms, undefined, { signal })]
  const post = async (sent: Message) => ({ sent, outcome: await sender.post(sent, signal) })
  switch (kind) {
    case "down":
      return { sent: usual, outcome: unreachable }
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
    case "reordered":
      return post(usual)
  }
}

/** As that of a receiver that accepts no connection; an attempt has its own time. */
const unreachable: Outcome = { at: 0, durationMs: 0, ...noResponse, error: "connect" }

function partsOf(url: string): { path: string; query: string } {
  const [path, ...query] = url.split("?") as [string, ...string[]]
  return { path, query: query.join("?") }
}

/** The message with its body as a stream, announced with its whole length. */
const streamed = (message: Message, change: (bytes: Uint8Array) => AsyncIterable<Uint8Array>): Message => {
  const bytes = Buffer.from(message.body)
  const headers = { ...message.headers, "content-length": String(bytes.length) }
  return { ...message, headers, stream: Readable.from(change(bytes), { objectMode: false }) }
}
