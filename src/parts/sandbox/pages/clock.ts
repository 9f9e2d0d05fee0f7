import { counted } from "../../../core/kernel/counted.ts"
import { time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { inSentence } from "../../site/pages/parts/in-sentence.ts"
import { inUtc, inWords, timeTag } from "../../site/pages/parts/time.ts"
import { inSandbox, type ShownClock, sandboxPageOf } from "./sandbox-home.ts"

/** The usual steps of tests: a token or a minute's limit ends, a day's limit, a month. */
const steps = { PT1H: "+1 hour", P1D: "+1 day", P30D: "+30 days" }

async function advance(visit: Visit, body: { advance?: string; to?: string; freeze?: boolean }) {
  const { value } = await (await inSandbox(visit)).advanceClock({ body })
  const { time, isComplete, deliveriesAttempted, keysExpired, ordersCancelled } = value
  const done = [
    ...(deliveriesAttempted > 0 ? [`${counted(deliveriesAttempted, "delivery attempt")} made`] : []),
    ...(keysExpired > 0 ? [`${counted(keysExpired, "key")} expired`] : []),
    ...(ordersCancelled > 0 ? [`${counted(ordersCancelled, "order")} cancelled`] : []),
  ]
  const what = done.length > 0 ? inSentence(done) : "nothing was due on the way"
  const far = isComplete ? "" : "; it took too long, so advance again"
  return { to: sandboxPageOf(visit), notice: `The time is ${inUtc(time)}: ${what}${far}` }
}

const dateForm = formOf({
  action: "advance-to",
  fields: fieldsOf(Type.Object({ to: time("When") }), {
    to: { label: "Advance to", hint: "In UTC; not before the time of the sandbox." },
  }),
  submit: advance,
})

export const clockActions: Readonly<Record<string, Action>> = {
  ...dateForm.actions,
  advance: (visit, form) => advance(visit, { advance: form.get("advance") ?? "" }),
  freeze: (visit, form) => advance(visit, { freeze: form.get("freeze") === "yes" }),
}

export const clockSection = (
  visit: Visit,
  clock: ShownClock,
): Markup => html`<div class="doings"><h2>Clock</h2><p>${timeTag(clock.time)} is ${distanceOf(clock)}.</p>${Object.entries(
  steps,
).map(([by, label]) =>
  actionButton(visit, { action: "advance", label, variant: "quiet small", fields: { advance: by } }),
)}
${actionButton(visit, { action: "freeze", label: clock.frozen ? "Let it run" : "Freeze", variant: "quiet small", fields: { freeze: clock.frozen ? "no" : "yes" } })}
${dateForm.render(visit, { button: "Advance", variant: "quiet", folded: "To a date" })}</div>`

export function distanceOf({ aheadSeconds, frozen }: ShownClock): string {
  if (frozen) return "frozen"
  if (aheadSeconds === 0) return "real time"
  return `${inWords(Math.abs(aheadSeconds) * 1000)} ${aheadSeconds > 0 ? "ahead of" : "behind"} real time`
}
