import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import type { ConsolePage } from "./page.ts"
import { webhookFields } from "./webhook-fields.ts"

/** Creates a webhook, whose secret is shown once. */
export const newWebhookPage: ConsolePage = {
  path: "/webhooks/new",
  title: "Create a webhook",
  scope: "manage:webhooks",
  show: async (visit) => html`<p class="back"><a href="${visit.root}/webhooks">All webhooks</a></p>
<h1>Create a webhook</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${webhookFields.render({ values: { events: ["*"] }, failure: visit.failure })}
<button>Create the webhook</button>`,
  { action: "create" },
)}`,
  actions: {
    create: {
      async run({ call, root }, form) {
        const { value: webhook } = await call.createWebhook({ body: webhookFields.read(form) })
        return {
          show: shownOnce({
            heading: "The webhook was created",
            texts: { Secret: webhook.secret },
            advice: html`The receiver at <code>${webhook.url}</code> verifies with it that a message is from here.`,
            to: { href: `${root}/webhooks/${webhook.id}`, words: "Go to the webhook" },
          }),
        }
      },
    },
  },
}
