import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { judgeSignature } from "../../console/pages/webhooks/judge-signature.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { copyable } from "../../site/pages/parts/copyable.ts"
import { detail } from "../../site/pages/parts/detail.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { timeAgo } from "../../site/pages/parts/time.ts"
import { prettyJson } from "./pretty-json.ts"
import type { ReceivedMessage, Receiver } from "./receiver-model.ts"
import { sandboxOf } from "./sandbox-visit.ts"

const path = "/receiver"

const statuses: Record<string, string> = {
  "200": "200 OK",
  "204": "204 No Content",
  "400": "400 Bad Request",
  "410": "410 Gone: disables the webhook",
  "429": "429 Too Many Requests, Retry-After: 1",
  "500": "500 Internal Server Error",
  "503": "503 Service Unavailable, Retry-After: 1",
}

const responseForm = formOf({
  action: "respond",
  fields: fieldsOf(
    Type.Object({
      status: Type.Enum(Object.keys(statuses)),
      delaySeconds: Type.Integer({ minimum: 0, maximum: 30 }),
    }),
    {
      status: { label: "Status", choices: statuses },
      delaySeconds: { label: "Delay in seconds", hint: "At most 30." },
    },
  ),
  async submit(visit, { status, delaySeconds }) {
    const seconds = Math.min(30, Math.max(0, Number(delaySeconds) || 0))
    const chosen = statuses[status] === undefined ? 200 : Number(status)
    receiverOf(visit).respondWith({ status: chosen, delaySeconds: seconds })
    return { to: path, notice: `The receiver responds with ${chosen}${seconds > 0 ? ` after ${seconds} s` : ""}` }
  },
})

const secretForm = formOf({
  action: "trust",
  fields: fieldsOf(Type.Object({ secret: Type.String({ minLength: 1, maxLength: 255 }) }), {
    secret: { label: "Secret of a webhook", hint: "Kept in memory, to verify what it sends.", autocomplete: "off" },
  }),
  async submit(visit, { secret }) {
    receiverOf(visit).trust(secret.trim())
    return { to: path, notice: "Messages are verified with this secret too" }
  },
})

/** Shows what webhooks send, without a tunnel or a program of one's own. */
export const receiverPage: ConsolePage = {
  path,
  title: "Receiver",
  scope: "manage:webhooks",
  async show(visit) {
    const receiver = receiverOf(visit)
    const messages = receiver.messages()
    const { value: webhooks } = await visit.call.listWebhooks()
    const senders = webhooks.filter(({ url }) => receiver.receives(url))
    return html`${heading(visit, { title: "Receiver", links: html`<a class="quiet" href="${visit.root}${visit.path}">Refresh</a>` })}
<p class="soft">A receiver of webhooks inside the sandbox: it shows what is sent, and responds as you choose. ${copyable(receiver.url, "the URL")}</p>
${detail(
  html`<div data-refresh="2000" data-newest="${messages[0]?.id ?? 0}">${messageList(visit, messages, await receiver.secrets())}</div>`,
  html`<h2>Webhook</h2>
${senders.map(({ id, description }) => html`<p><a href="${visit.root}/webhooks/${id}">${description ?? `Webhook ${id}`}</a> sends here.</p>`)}
<p>${actionButton(visit, { action: "create", label: "Create a webhook to here", variant: "quiet small" })}</p>
${secretForm.render(visit, { button: "Add the secret", folded: "Add a secret" })}
<h2>Response</h2>
${responseForm.render(visit, { button: "Set the response", values: { ...receiver.response(), status: String(receiver.response().status) } })}
${
  messages.length > 0 &&
  html`<h2>Messages</h2>
<div class="doings">${actionButton(visit, { action: "clear", label: "Clear the list", variant: "quiet small" })}</div>`
}`,
)}`
  },
  actions: {
    ...responseForm.actions,
    ...secretForm.actions,
    async create(visit) {
      const receiver = receiverOf(visit)
      const body = { url: receiver.url, events: ["*" as const], description: "Receiver in the console" }
      await visit.call.createWebhook({ body })
      return { to: path, notice: "Every event of this account is sent here from now on" }
    },
    async clear(visit) {
      receiverOf(visit).clear()
      return { to: path, notice: "The list is empty" }
    },
  },
}

const receiverOf = (visit: Visit): Receiver => sandboxOf(visit).receiver()

function messageList(visit: Visit, messages: readonly ReceivedMessage[], secrets: readonly string[]): Markup {
  if (messages.length === 0)
    return html`<p class="empty">Nothing was received yet. Create a webhook, then add a pet.</p>`
  return html`<ol class="attempts" reversed>${messages.map((message) => shownMessage(visit, message, secrets))}</ol>`
}

function shownMessage(visit: Visit, message: ReceivedMessage, secrets: readonly string[]): Markup {
  const { headers, body, at, status } = message
  const { isGood, explanation } = verdictOf(visit, message, secrets)
  return html`<li>
<p><strong>${eventIn(body)}</strong> <span class="badge ${isGood === undefined ? "plain" : isGood ? "good" : "bad"}">${explanation}</span></p>
<p class="soft">${timeAgo(visit, at)}, <code>${headers["webhook-id"] ?? "without webhook-id"}</code>, responded with ${status}</p>
<pre class="wrap" tabindex="0">${prettyJson(body)}</pre>
<details><summary>Headers</summary><pre class="wrap" tabindex="0">${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}</pre></details>
</li>`
}

/** The verdict of receivers on a message, by the secrets that are known here. */
function verdictOf(
  { service }: Visit,
  { headers, body, at }: ReceivedMessage,
  secrets: readonly string[],
): { isGood: boolean | undefined; explanation: string } {
  if (secrets.length === 0) return { isGood: undefined, explanation: "no secret is known" }
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) => headers[`webhook-${name}`] ?? "")
  const message = { id: id ?? "", timestamp: timestamp ?? "", signature: signature ?? "", body }
  // A message is as old as it was when it arrived.
  const now = Math.min(Date.parse(at), service.now())
  const verdicts = secrets.map((secret) => judgeSignature({ ...message, secret }, undefined, now))
  if (verdicts.some((findings) => findings.every(({ isGood }) => isGood)))
    return { isGood: true, explanation: "signature verified" }
  const wrong = verdicts[0]?.find(({ isGood }) => !isGood)
  return { isGood: false, explanation: wrong?.explanation ?? "not verified" }
}

function eventIn(body: string): string {
  try {
    return String((JSON.parse(body) as { event?: string }).event ?? "No event")
  } catch {
    return "Not JSON"
  }
}
