import { html } from "../../../site/pages/html.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { formPage } from "../form-page.ts"
import { webhookFields } from "./webhook-fields.ts"

export const newWebhookPage = formPage({
  path: "/webhooks/new",
  title: "Create a webhook",
  scope: "manage:webhooks",
  about: { values: { events: ["*"] }, button: "Create the webhook" },
  action: "create",
  fields: webhookFields,
  async submit({ call, root }, body) {
    const { value: webhook } = await call.createWebhook({ body })
    return shownOnce({
      heading: "The webhook was created",
      texts: { Secret: webhook.secret },
      advice: html`The receiver at <code>${webhook.url}</code> verifies the signatures of events with it.`,
      to: { href: `${root}/webhooks/${webhook.id}`, label: "Go to the webhook" },
    })
  },
})
