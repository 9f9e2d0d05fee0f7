import type { Attempt } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { timestampOf } from "../../../../core/kernel/network/standard-webhooks.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { inWords, timeTag, timeWithAge } from "../../../site/pages/parts/time.ts"
import type { Call } from "../../../site/serving/call.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { outcomeOf } from "./attempt-words.ts"
import { deliveryRequest } from "./delivery-request.ts"

type Delivery = Awaited<ReturnType<Call["getDelivery"]>>["value"]

const attemptsShown = 50

export const deliveryPage: ConsolePage = {
  path: "/webhooks/:webhookId/deliveries/:deliveryId",
  title: "Delivery",
  scope: "manage:webhooks",
  async show(visit) {
    const params = paramsOf(visit)
    const [{ value: webhook }, called] = await Promise.all([
      visit.call.getWebhook({ params }),
      visit.call.getDelivery({ params }),
    ])
    const { value: delivery } = called
    const back = { to: `/webhooks/${webhook.id}`, label: webhook.description ?? webhook.url }
    return html`${heading(visit, { back, title: delivery.event, badge: badge(delivery.state) })}
<p>${stateOf(visit, delivery)}</p>
<div class="doings">
${actionButton(visit, { action: "retry", label: "Retry now", variant: "quiet small" })}
<a class="quiet" href="${visit.root}${visit.path}">Refresh</a>
</div>
<h2>Request</h2>
${deliveryRequest(webhook.url, delivery)}
<p><a href="${visit.root}/webhooks/signatures?id=${delivery.eventId}">Check a received signature</a></p>
<h2>Attempts</h2>
${delivery.log.length === 0 && html`<p class="empty">There are no attempts yet. <a href="${visit.root}${visit.path}">Refresh</a></p>`}
${delivery.log.length > attemptsShown && html`<p class="soft">The latest ${attemptsShown} of ${delivery.log.length} attempts.</p>`}
<ol class="attempts" reversed>${delivery.log
      .map((each, n) => attempt(visit, each, n))
      .slice(-attemptsShown)
      .reverse()}</ol>
${apiRequest(visit, called)}`
  },
  actions: {
    async retry(visit) {
      const { value } = await visit.call.retryDelivery({ params: paramsOf(visit) })
      return {
        to: `/webhooks/${value.webhookId}/deliveries/${value.id}`,
        notice: "The delivery was scheduled for a retry",
      }
    },
  },
}

const paramsOf = ({ params }: Visit) => ({
  webhookId: Number(params.webhookId),
  deliveryId: Number(params.deliveryId),
})

function stateOf({ service }: Visit, { state, attempts, nextAttemptAt }: Delivery): Markup {
  const count = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`
  if (state === "delivered") return html`Delivered after ${count}.`
  if (state === "failed" || nextAttemptAt === undefined) return html`Failed after ${count}.`
  const waitMs = Date.parse(nextAttemptAt) - service.now()
  return waitMs <= 0
    ? html`${count} so far. The next attempt is due now.`
    : html`${count} so far. The next attempt follows in ${inWords(waitMs)}, at ${timeTag(nextAttemptAt)}.`
}

const attempt = (visit: Visit, each: Attempt, n: number): Markup => html`<li>
<p><strong>${outcomeOf(each)}</strong> <span class="badge ${each.error === undefined ? "good" : "bad"}">${each.error === undefined ? "delivered" : "failed"}</span></p>
<p class="soft">${timeWithAge(visit, each.at)}, took ${each.durationMs} ms, webhook-timestamp <code>${timestampOf(Date.parse(each.at))}</code></p>
${each.response ? html`<pre class="wrap" tabindex="0" role="region" aria-label="Response to attempt ${n + 1}">${each.response}</pre>` : html`<p class="soft">No response body.</p>`}
</li>`
