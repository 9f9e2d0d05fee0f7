import type { Logger } from "pino"
import { type Sealing, sealedFor } from "../../../domain/ports/sealing.ts"
import type { Database } from "../../../domain/ports/store.ts"
import type { MessageFacts, Outcome } from "../../../domain/webhooks/deliveries/model.ts"
import type { Claim } from "../../../domain/webhooks/deliveries/store.ts"
import type { StoredWebhook } from "../../../domain/webhooks/model.ts"
import type { Clock } from "../../../kernel/clock.ts"
import type { Span, Tracer } from "../../../kernel/network/trace.ts"
import type { Message, Sender } from "./send.ts"
import { noResponse } from "./send.ts"
import { createSignatureHeaders } from "./sign.ts"

export type Signable = MessageFacts & {
  /** Signs the message, on request with other secrets, as if it were `ageMs` old, or with another id of its event. */
  sign(other?: { secrets?: readonly string[]; ageMs?: number; id?: string }): Message
  /**
   * Waits without taking capacity from other messages, and returns the message for the webhook as it is then. Throws when the webhook
   * does not accept it any more.
   */
  hold(waiting: Promise<unknown>): Promise<Signable>
}

/** Sends a message; rejects only when the signal aborts the attempt, or when the message was held and is not sent any more. */
type SendMessage = (message: Signable, signal: AbortSignal) => Promise<Outcome>

/** Changes how messages are sent, for example so that some fail on purpose. */
export type DecorateSending = (sender: Sender) => SendMessage

/** What every attempt of a store needs. */
export type DeliveryDeps = {
  store: Database
  clock: Clock
  /** The time of receivers, which check that signatures are recent; a clock that was advanced is ahead of it. */
  realClock: Clock
  sealing: Sealing
  send: SendMessage
  log: Logger
  tracer?: Tracer | undefined
  /** From 0 to below 1, for the jitter of delays. */
  random?: () => number
  count?(outcome: Outcome): void
}

/** Waits before an attempt, which takes no capacity from others meanwhile. */
export type Hold = (waiting: Promise<unknown>) => Promise<void>

/** What is left of a lease when an attempt starts, so that it outlives the attempt. */
const leaseLeftMs = 20_000

/**
 * Makes one attempt at a delivery; "not made" when `ending` aborted it, when its webhook does not accept it any more after it was held
 * back, or when the process was suspended since its claim; undefined when the webhook no longer exists.
 */
export async function attempt(
  deps: DeliveryDeps,
  claim: Claim,
  ending: AbortSignal,
  hold: Hold,
  span?: Span,
): Promise<Outcome | "not made" | undefined> {
  const { store, clock, send } = deps
  const webhook = await store.webhooks.read(claim.webhookId)
  if (!webhook) return undefined
  const secrets = await openSecrets(deps, webhook.id)
  let at = clock.now()
  // The receiver could not verify an unsigned message, so none is sent.
  let outcome: Outcome = { at, durationMs: 0, ...noResponse, error: "unreadable-secret" }
  const holdAndRenew = async (waiting: Promise<unknown>): Promise<Signable> => {
    await hold(waiting)
    at = clock.now()
    const later = await store.webhooks.read(webhook.id)
    const renewed = await openSecrets(deps, webhook.id)
    if (!later || renewed.length === 0 || !(later.status === "active" || claim.isTest))
      throw new Error("not sent any more")
    return signable(deps, claim, { webhook: later, secrets: renewed, hold: holdAndRenew, span })
  }
  if (claim.leaseEnd - at < leaseLeftMs) return "not made"
  if (secrets.length > 0) {
    try {
      const message = signable(deps, claim, { webhook, secrets, hold: holdAndRenew, span })
      outcome = { ...(await send(message, ending)), at }
    } catch {
      return "not made"
    }
  }
  logAttempt(deps.log, claim, outcome, span)
  deps.count?.(outcome)
  return clock.isFrozen?.() ? { ...outcome, durationMs: 0 } : outcome
}

type Addressed = { webhook: StoredWebhook; secrets: readonly string[]; hold: Signable["hold"]; span: Span | undefined }

/** The message to a webhook as it is now. */
function signable({ realClock }: DeliveryDeps, claim: Claim, { webhook, secrets, hold, span }: Addressed): Signable {
  const { webhookId, kind, eventId, json: body } = claim
  return {
    webhookId,
    kind,
    isOrdered: webhook.ordered,
    hold,
    sign({ secrets: chosen = secrets, ageMs = 0, id = eventId } = {}) {
      const signature = createSignatureHeaders(chosen, { eventId: id, body, at: realClock.now() - ageMs })
      return { url: webhook.url, headers: { ...span?.headers, ...signature }, body }
    },
  }
}

/** The current signing secrets, without those that the sealing key cannot open. */
async function openSecrets({ store, clock, sealing }: DeliveryDeps, webhookId: number): Promise<string[]> {
  const sealed = await store.webhooks.secrets(webhookId, clock.now())
  return sealed.flatMap((secret) => {
    try {
      return [sealing.open(secret, sealedFor.webhookSecrets)]
    } catch {
      return []
    }
  })
}

function logAttempt(log: Logger, { deliveryId, webhookId, eventId, kind }: Claim, outcome: Outcome, span?: Span): void {
  const { status, error, durationMs } = outcome
  const result = { "http.response.status_code": status, "error.type": error }
  span?.note({ ...result, "petstore.delivery": deliveryId, "petstore.webhook": webhookId, "petstore.event": eventId })
  log.info({
    delivery: deliveryId,
    webhook: webhookId,
    event: eventId,
    kind,
    durationMs,
    ...result,
    ...(span && { trace_id: span.traceId, span_id: span.spanId }),
  })
}
