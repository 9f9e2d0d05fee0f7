import type { Webhook } from "../../../../core/domain/webhooks/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import type { Visit } from "../page.ts"

/** Shorter failures are part of every deployment of a receiver. */
const failingAfterMs = 5 * 60_000

/** The status of a webhook, and `failing` when no delivery has succeeded for five minutes. */
export const webhookBadges = ({ service }: Pick<Visit, "service">, webhook: Webhook): Markup =>
  html`${badge(webhook.status)}${isFailing(webhook, service.now()) && html` ${badge("failing")}`}`

/** A disabled webhook already tells that its deliveries failed. */
const isFailing = ({ status, failingSince }: Webhook, now: number): boolean =>
  status !== "disabled" && failingSince !== undefined && now - Date.parse(failingSince) >= failingAfterMs
