import { timestamp } from "../../kernel/clock.ts"
import { toBase64 } from "../../kernel/json/base64.ts"
import { secretPrefix } from "../../kernel/network/standard-webhooks.ts"
import { problem } from "../../kernel/problem.ts"
import type { Webhook, WebhookDraft, WebhookPatch } from "./contract.ts"
import type { Outcome } from "./deliveries/model.ts"
import type { StoredWebhook } from "./model.ts"

/** Milliseconds without a success after which a webhook is disabled. */
const failingMsMax = 5 * 24 * 60 * 60 * 1000

/** Average milliseconds above which a receiver counts as slow. */
const slowMs = 1000
/** Weight of the newest attempt in the moving average. */
const newestShare = 0.25

/** A new secret of 32 random bytes: `whsec_` and their base64 (Standard Webhooks 1.0). */
export const mintWebhookSecret = (random: (count: number) => Uint8Array): string => secretPrefix + toBase64(random(32))

export const newWebhook = (draft: WebhookDraft, accountId: number, at: number): Omit<StoredWebhook, "id"> => ({
  accountId,
  url: draft.url,
  description: draft.description,
  events: selectKinds(draft.events),
  ordered: draft.ordered ?? false,
  status: "active",
  disabledReason: undefined,
  failingSince: undefined,
  lane: "new",
  averageMs: undefined,
  createdAt: at,
})

/** The webhook after a merge patch. A disabled one becomes active only through `testing`, and cannot be paused. */
export function patchWebhook(webhook: StoredWebhook, patch: WebhookPatch) {
  const isOff = webhook.status === "disabled" || webhook.status === "testing"
  if (isOff && patch.status === "paused")
    return problem("webhook-disabled", "A disabled webhook cannot be paused; it is not sent anything")

  const moved = patch.url !== undefined && patch.url !== webhook.url
  return {
    ...webhook,
    url: patch.url ?? webhook.url,
    description: patch.description === undefined ? webhook.description : (patch.description ?? undefined),
    events: patch.events === undefined ? webhook.events : selectKinds(patch.events ?? undefined),
    ordered: patch.ordered ?? webhook.ordered,
    status: isOff && patch.status === "active" ? ("testing" as const) : (patch.status ?? webhook.status),
    ...(moved && { failingSince: undefined, lane: "new" as const, averageMs: undefined }),
  }
}

/** The webhook after an attempt. A success ends the failure; 410, a failed test or five days without success disable it. */
export function afterAttempt(webhook: StoredWebhook, isTest: boolean, outcome: Outcome): StoredWebhook {
  const judged = judgeAttempt(webhook, isTest, outcome)
  const { averageMs: before = outcome.durationMs } = webhook
  const averageMs = Math.round(before + newestShare * (outcome.durationMs - before))
  const isSlow = judged.failingSince !== undefined || averageMs > slowMs
  return { ...judged, averageMs, lane: isSlow ? "slow" : "quick" }
}

function judgeAttempt(webhook: StoredWebhook, isTest: boolean, { at, status, error }: Outcome): StoredWebhook {
  const { failingSince: _, disabledReason, ...rest } = webhook
  const isEnabling = isTest && webhook.status === "testing"
  if (error === undefined)
    return isEnabling
      ? { ...rest, status: "active", disabledReason: undefined, failingSince: undefined }
      : { ...rest, disabledReason, failingSince: undefined }

  const failing = { ...webhook, failingSince: webhook.failingSince ?? (isTest ? undefined : at) }
  if (webhook.status === "disabled") return failing
  if (status === 410) return { ...failing, status: "disabled", disabledReason: "gone" }
  if (isEnabling) return { ...failing, status: "disabled", disabledReason: "test-failed" }
  if (!isTest && webhook.status !== "testing" && at - (failing.failingSince ?? at) >= failingMsMax)
    return { ...failing, status: "disabled", disabledReason: "failing" }
  return failing
}

export const showWebhook = (webhook: StoredWebhook): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  ...(webhook.description !== undefined && { description: webhook.description }),
  events: webhook.events as Webhook["events"],
  ordered: webhook.ordered,
  status: webhook.status,
  ...(webhook.disabledReason && { disabledReason: webhook.disabledReason }),
  ...(webhook.failingSince !== undefined && { failingSince: timestamp(webhook.failingSince) }),
  createdAt: timestamp(webhook.createdAt),
})

const selectKinds = (events: readonly string[] = ["*"]): string[] =>
  events.includes("*") ? ["*"] : [...new Set(events)].sort()
