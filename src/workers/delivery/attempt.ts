import type { Logger } from "pino"
import { type Sealing, type Store, sealedFor } from "../../domain/ports.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import { settleDelivery } from "../../domain/webhooks/deliveries/settle.ts"
import type { Claim } from "../../domain/webhooks/deliveries/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Sender } from "./send.ts"
import { signatureHeaders } from "./sign.ts"

export type AttemptParts = {
  store: Store
  clock: Clock
  sealing: Sealing
  sender: Sender
  log: Logger
  random?: () => number
}

/** One attempt from the look at its webhook to the record of its outcome; the signal ends it without a trace. */
export async function attempt(
  { store, clock, sealing, sender, log, random = Math.random }: AttemptParts,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const webhook = await store.webhooks.read(claim.webhookId)
  if (!webhook) return
  const secrets = (await store.webhooks.secrets(webhook.id, clock.now())).flatMap((sealed) => opened(sealing, sealed))
  const at = clock.now()
  let outcome: Outcome
  try {
    outcome =
      secrets.length === 0
        ? unsigned(at)
        : await sender.post(
            {
              url: webhook.url,
              headers: signatureHeaders(secrets, { eventId: claim.eventId, body: claim.json, at }),
              body: claim.json,
            },
            signal,
          )
  } catch {
    await store.transaction((tx) => tx.deliveries.release(claim, at))
    return
  }

  log.info({
    delivery: claim.deliveryId,
    webhook: webhook.id,
    event: claim.eventId,
    kind: claim.kind,
    status: outcome.status,
    error: outcome.error,
    durationMs: outcome.durationMs,
  })
  await store.transaction((tx) => settleDelivery(tx, claim, outcome, random()))
}

function opened(sealing: Sealing, sealed: string): string[] {
  try {
    return [sealing.open(sealed, sealedFor.webhookSecrets)]
  } catch {
    return []
  }
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
