import { html } from "../html.ts"
import { confirm } from "../parts/confirm.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import type { ConsolePage, Visit } from "./page.ts"
import { webhookFields } from "./webhook-fields.ts"

/** What a webhook is sent and where, its secret, and deleting it. */
export const webhookSettingsPage: ConsolePage = {
  path: "/webhooks/:webhookId/settings",
  title: "Settings of a webhook",
  scope: "manage:webhooks",
  async show(visit) {
    const { value: webhook } = await visit.call.getWebhook({ params: paramsOf(visit) })
    return html`<p class="back"><a href="${visit.root}/webhooks/${webhook.id}">${webhook.description ?? webhook.url}</a></p>
<h1>Settings</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${webhookFields.render({ values: webhook, failure: visit.failure })}
<button>Save</button>`,
  { action: "save" },
)}
<h2>Secret</h2>
<p>A new one is shown once. For 24 hours messages are signed with both.</p>
<div class="doings">${postForm(visit, html`<button class="quiet">Rotate the secret</button>`, { action: "rotate" })}</div>
${confirm(
  "Delete this webhook…",
  "It goes with what was not sent yet and what is known of its deliveries, for good.",
  postForm(visit, html`<button class="danger">Delete the webhook</button>`, { action: "delete" }),
)}`
  },
  actions: {
    save: {
      async run(visit, form) {
        const wanted = webhookFields.read(form)
        const body = { ...wanted, description: wanted.description ?? null }
        const { value: webhook } = await visit.call.updateWebhook({ params: paramsOf(visit), body })
        return { to: `/webhooks/${webhook.id}`, notice: "The webhook was saved" }
      },
    },
    rotate: {
      asksPassword: true,
      async run(visit) {
        const { value: webhook } = await visit.call.rotateWebhookSecret({ params: paramsOf(visit) })
        return {
          show: shownOnce({
            heading: "The webhook has a new secret",
            texts: { Secret: webhook.secret },
            advice: html`Give it to the receiver at <code>${webhook.url}</code>. For 24 hours messages are signed with the old one too.`,
            to: { href: `${visit.root}/webhooks/${webhook.id}`, words: "Go to the webhook" },
          }),
        }
      },
    },
    delete: {
      asksPassword: true,
      async run(visit) {
        await visit.call.deleteWebhook({ params: paramsOf(visit) })
        return { to: "/webhooks", notice: "The webhook was deleted" }
      },
    },
  },
}

const paramsOf = ({ params }: Visit) => ({ webhookId: Number(params.webhookId) })
