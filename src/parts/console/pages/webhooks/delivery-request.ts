import { messageHeaders, timestampOf } from "../../../../core/kernel/network/standard-webhooks.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { copyButton } from "../../../site/pages/parts/copyable.ts"
import type { Call } from "../../../site/serving/call.ts"

type Delivery = Awaited<ReturnType<Call["getDelivery"]>>["value"]

/** The request of a delivery, with the headers of its latest attempt. */
export function deliveryRequest(url: string, { eventId, body, log }: Delivery): Markup {
  const last = log.at(-1)
  const headers = {
    host: new URL(url).host,
    ...messageHeaders,
    "content-length": String(Buffer.byteLength(body)),
    "webhook-id": eventId,
    ...(last && { "webhook-timestamp": String(timestampOf(Date.parse(last.at))) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<p><code>POST ${url}</code></p>
<div class="heading"><h3>Headers</h3>${copyButton(lines.join("\n"), "the headers")}</div>
<dl class="headers">${Object.entries(headers).map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}
${last === undefined && html`<dt>webhook-timestamp</dt><dd>the time of the attempt, in seconds since 1970</dd>`}
<dt>webhook-signature</dt><dd>computed for each attempt, not stored</dd>
</dl>
<div class="heading"><h3>Body</h3>${copyButton(body, "the body")}</div>
<pre class="wrap" tabindex="0" role="region" aria-label="Body of the request">${body}</pre>`
}
