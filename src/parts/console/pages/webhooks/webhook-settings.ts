import { webhooks } from "../../../../core/domain/webhooks/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, type Visit, withPassword } from "../page.ts"
import { webhookFields } from "./webhook-fields.ts"

const form = formOf({
  action: "save",
  fields: webhookFields.patching(webhooks.updateWebhook.body),
  async submit(visit, body) {
    const { value: webhook } = await visit.call.updateWebhook({ params: paramsOf(visit), body })
    return { to: `/webhooks/${webhook.id}`, notice: "The webhook was saved" }
  },
})

export const webhookSettingsPage: ConsolePage = {
  path: "/webhooks/:webhookId/settings",
  title: "Settings of a webhook",
  scope: "manage:webhooks",
  asks: { rotate: withPassword("Rotate the secret"), delete: withPassword("Delete the webhook") },
  async show(visit) {
    const { value: webhook } = await visit.call.getWebhook({ params: paramsOf(visit) })
    const back = { to: `/webhooks/${webhook.id}`, label: webhook.description ?? webhook.url }
    return html`${heading(visit, { back, title: "Settings" })}
${form.render(visit, { button: "Save", values: webhook })}
<h2>Secret</h2>
<p>The new secret is shown once. For 24 hours events are signed with both secrets.</p>
<div class="doings">${actionButton(visit, { action: "rotate", label: "Rotate the secret", variant: "quiet" })}</div>
${confirm(visit, {
  summary: "Delete this webhook…",
  warning: "The webhook is permanently deleted with its pending events and the log of its deliveries.",
  action: "delete",
  label: "Delete the webhook",
})}`
  },
  actions: {
    ...form.actions,
    async rotate(visit) {
      const { value: webhook } = await visit.call.rotateWebhookSecret({ params: paramsOf(visit) })
      return shownOnce({
        heading: "The webhook has a new secret",
        texts: { Secret: webhook.secret },
        advice: html`Configure it in the receiver at <code>${webhook.url}</code>. For 24 hours events are also signed with the old secret.`,
        to: { href: `${visit.root}/webhooks/${webhook.id}`, label: "Go to the webhook" },
      })
    },
    async delete(visit) {
      await visit.call.deleteWebhook({ params: paramsOf(visit) })
      return { to: "/webhooks", notice: "The webhook was deleted" }
    },
  },
}

const paramsOf = ({ params }: Visit) => ({ webhookId: Number(params.webhookId) })
