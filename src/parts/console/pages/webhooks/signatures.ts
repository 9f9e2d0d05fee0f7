import type { Static } from "typebox"
import { Type } from "../../../../core/kernel/schema/type.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import type { Call } from "../../../site/serving/call.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { judgeSignature, type SignatureFinding } from "./judge-signature.ts"

const Message = Type.Object({
  id: Type.String({ maxLength: 255 }),
  timestamp: Type.String({ maxLength: 20 }),
  signature: Type.String({ maxLength: 299 }),
  body: Type.String({ maxLength: 100_000 }),
  secret: Type.String({ maxLength: 255 }),
})

const form = formOf({
  action: "check",
  fields: fieldsOf(Message, {
    id: { label: "webhook-id", autocomplete: "off" },
    timestamp: { label: "webhook-timestamp", autocomplete: "off" },
    signature: { label: "webhook-signature", autocomplete: "off" },
    body: { label: "Body", hint: "The body exactly as received." },
    secret: { label: "Secret", hint: "Used for this check only, not stored.", autocomplete: "off" },
  }),
  async submit(visit, { body, ...rest }) {
    const headers = Object.fromEntries(Object.entries(rest).map(([name, text]) => [name, text.trim()]))
    const message = { ...(headers as Omit<Static<typeof Message>, "body">), body }
    const findings = judgeSignature(message, await bodySentAs(visit.call, message.id), visit.service.now())
    return { show: main(visit, message, findings) }
  },
})

export const signaturesPage: ConsolePage = {
  path: "/webhooks/signatures",
  title: "Check a signature",
  scope: "manage:webhooks",
  show: async (visit) => main(visit, { id: visit.query.get("id") ?? "" }),
  actions: form.actions,
}

const main = (
  visit: Visit,
  values: Partial<Static<typeof Message>>,
  findings?: SignatureFinding[],
): Markup => html`${heading(visit, { title: "Check a signature" })}
<p class="soft">Paste a message as the receiver got it. It is not stored.</p>
${findings && verdict(findings)}
${form.render(visit, { button: "Check", values })}`

const verdict = (findings: readonly SignatureFinding[]): Markup => {
  const isValid = findings.every(({ isGood }) => isGood)
  return html`<section class="verdict ${isValid ? "good" : "bad"}" role="status">
<p><strong>${isValid ? "This message is valid." : "Receivers must refuse this message."}</strong></p>
<ul class="lines">${findings.map(({ isGood, explanation }) => html`<li class="${isGood ? "good" : "bad"}">${explanation}</li>`)}</ul>
</section>`
}

/** The body that was sent with this id, if the feed still contains it: the first event after the preceding position. */
async function bodySentAs(call: Call, id: string): Promise<string | undefined> {
  const position = Number(/^evt_([1-9]\d{0,14})_/.exec(id)?.[1])
  if (!position) return undefined
  const after = position > 1 ? { after: `evt_${position - 1}_${"0".repeat(12)}` } : {}
  const { value: found } = await call.listEvents({ query: { ...after, limit: 1 } })
  if (found[0]?.id !== id) return undefined
  const { id: _, ...body } = found[0]
  return JSON.stringify(body)
}
