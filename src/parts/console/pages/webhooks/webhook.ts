import type { Webhook, WebhookStatus } from "../../../../core/domain/webhooks/contract.ts"
import { RetryFailed } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { fieldsOf } from "../parts/fields.ts"
import { deliveryList } from "./delivery-list.ts"
import { webhookBadges } from "./webhook-badges.ts"

const retryForm = formOf({
  action: "retry",
  fields: fieldsOf(RetryFailed, { since: { label: "Events since", hint: "In UTC." } }),
  async submit(visit, body) {
    const { value } = await visit.call.retryFailedDeliveries({ params: paramsOf(visit), body })
    const notice = `${value.retried} ${value.retried === 1 ? "delivery was" : "deliveries were"} scheduled for a retry${value.more ? "; repeat this for the others" : ""}`
    return { to: `/webhooks/${paramsOf(visit).webhookId}`, notice }
  },
})

export const webhookPage: ConsolePage = {
  path: "/webhooks/:webhookId",
  title: "Webhook",
  scope: "manage:webhooks",
  async show(visit) {
    const called = await visit.call.getWebhook({ params: paramsOf(visit) })
    const { value: webhook } = called
    return html`${heading(visit, {
      title: webhook.description ?? `Webhook ${webhook.id}`,
      badge: webhookBadges(visit, webhook),
      links: html`<a class="quiet" href="${visit.root}/webhooks/${webhook.id}/settings">Settings</a>`,
    })}
<p><code>${webhook.url}</code></p>
${health(visit, webhook)}
<div class="doings">
${[...moves[webhook.status], { action: "test", label: "Send a test event" }].map((move) => actionButton(visit, { ...move, variant: "quiet small" }))}
</div>
<h2>Deliveries</h2>
${await deliveryList(visit, webhook.id)}
<h2>Retry failed deliveries</h2>
<p>Sends all failed deliveries of events since a time again.</p>
${retryForm.render(visit, { button: "Retry" })}
${apiRequest(visit, called)}`
  },
  actions: {
    pause: (visit) => moveTo(visit, "paused", "The webhook is paused; its events are queued"),
    resume: (visit) => moveTo(visit, "active", "The webhook is active; queued events are being sent"),
    enable: (visit) =>
      moveTo(visit, "active", "A test event is being sent; the webhook becomes active when it succeeds"),
    async test(visit) {
      const { value } = await visit.call.testWebhook({ params: paramsOf(visit) })
      return { to: `/webhooks/${value.webhookId}/deliveries/${value.id}`, notice: "A test event is being sent" }
    },
    ...retryForm.actions,
  },
}

const paramsOf = ({ params }: Visit) => ({ webhookId: Number(params.webhookId) })

async function moveTo(visit: Visit, status: "active" | "paused", notice: string) {
  const { value } = await visit.call.updateWebhook({ params: paramsOf(visit), body: { status } })
  return { to: `/webhooks/${value.id}`, notice } as const
}

const moves: Record<WebhookStatus, { action: string; label: string }[]> = {
  active: [{ action: "pause", label: "Pause" }],
  paused: [{ action: "resume", label: "Resume" }],
  disabled: [{ action: "enable", label: "Enable" }],
  testing: [],
}

const reasons = {
  gone: "the receiver responded with 410",
  failing: "no attempt succeeded for five days",
  "test-failed": "the test failed",
}

function health(visit: Visit, { status, disabledReason, failingSince }: Webhook): Markup | undefined {
  if (status === "disabled")
    return html`<p class="alarm">This webhook is disabled${disabledReason && `: ${reasons[disabledReason]}`}. Its events are queued.</p>`
  if (status === "testing") return html`<p class="soft">This webhook becomes active when the pending test succeeds.</p>`
  return failingSince === undefined
    ? undefined
    : html`<p class="alarm">Deliveries have been failing since ${timeWithAge(visit, failingSince)}.</p>`
}
