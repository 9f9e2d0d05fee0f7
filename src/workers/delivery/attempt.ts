import type { Logger } from "pino"
import type { Store } from "../../domain/ports.ts"
import { type Sealing, sealedFor } from "../../domain/ports.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import { settleDelivery } from "../../domain/webhooks/deliveries/settle.ts"
import type { Claim } from "../../domain/webhooks/deliveries/store.ts"
import type { StoredWebhook } from "../../domain/webhooks/model.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Sender } from "./send.ts"
import { createSignatureHeaders } from "./sign.ts"

/** What an attempt works with. */
export type AttemptParts = {
  store: Store
  clock: Clock
  sealing: Sealing
  sender: Sender
  log: Logger
  random?: () => number
}

/**
 * Makes one attempt at a delivery and records its outcome. When the signal ends it, nothing is recorded and the claim is
 * given back.
 */
export async function attempt(parts: AttemptParts, claim: Claim, signal: AbortSignal): Promise<void> {
  const { store, clock, random = Math.random } = parts
  const webhook = await store.webhooks.read(claim.webhookId)
  if (!webhook) return
  const secrets = await openSecrets(parts, webhook.id)
  const at = clock.now()
  let outcome: Outcome
  try {
    outcome = secrets.length === 0 ? unsigned(at) : await send(parts, webhook, claim, secrets, at, signal)
  } catch {
    await store.transaction((tx) => tx.deliveries.release(claim, at))
    return
  }

  logAttempt(parts.log, claim, outcome)
  await store.transaction((tx) => settleDelivery(tx, claim, outcome, random()))
}

/** The secrets that sign now; those the key at hand does not open are left out. */
async function openSecrets({ store, clock, sealing }: AttemptParts, webhookId: number): Promise<string[]> {
  const sealed = await store.webhooks.secrets(webhookId, clock.now())
  return sealed.flatMap((secret) => {
    try {
      return [sealing.open(secret, sealedFor.webhookSecrets)]
    } catch {
      return []
    }
  })
}

function send(
  { sender }: AttemptParts,
  { url }: StoredWebhook,
  { eventId, json: body }: Claim,
  secrets: readonly string[],
  at: number,
  signal: AbortSignal,
): Promise<Outcome> {
  return sender.post({ url, headers: createSignatureHeaders(secrets, { eventId, body, at }), body }, signal)
}

/** Nothing is sent that its receiver could not verify. */
const unsigned = (at: number): Outcome => ({
  at,
  durationMs: 0,
  status: undefined,
  error: "unreadable-secret",
  answer: undefined,
  retryAfterMs: undefined,
})

function logAttempt(log: Logger, { deliveryId, webhookId, eventId, kind }: Claim, outcome: Outcome): void {
  const { status, error, durationMs } = outcome
  log.info({ delivery: deliveryId, webhook: webhookId, event: eventId, kind, status, error, durationMs })
}
