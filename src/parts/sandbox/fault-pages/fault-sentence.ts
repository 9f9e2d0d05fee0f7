import type { Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { timeTag } from "../../site/pages/parts/time.ts"
import type { FaultRule } from "../faults/contract.ts"
import { isOver } from "../faults/rules.ts"
import { consoleOf } from "../pages/sandbox-home.ts"
import { wordsOfFault } from "./fault-words.ts"

/** A rule in a line: what it is for, how that fails, how much of it, and what became of it. */
export function faultSentence(visit: Visit, rule: FaultRule, now: number): Markup {
  const { match: { share, seed, times, until } = {}, fault, count, enabled } = rule
  const parts = [
    ...targetOf(visit, rule),
    html`<strong title="${wordsOfFault(fault)}">${nameOfFault(fault)}</strong>`,
    share !== undefined && html`${percentOf(share)} %`,
    times !== undefined && html`first ${times}`,
    until !== undefined && html`until ${timeTag(until)}`,
    seed !== undefined && html`seed <code>${seed}</code>`,
    count !== undefined && html`affected ${count}`,
    enabled === false && html`<span class="badge plain">off</span>`,
    isOver(rule, now) && html`<span class="badge waiting">over</span>`,
  ]
  return html`${parts.map((part) => part && html`<span>${part}</span>`)}`
}

function targetOf(visit: Visit, { match = {}, fault = "" }: FaultRule): (Markup | false)[] {
  const { operation, path, key, webhook, event } = match
  const isOfWebhooks = /\bwebhook=/.test(fault)
  const isOfAny = [operation, path, key, webhook, event].every((each) => each === undefined)
  const console = consoleOf(visit)
  return [
    isOfAny && html`<strong>${isOfWebhooks ? "every message" : "every request"}</strong>`,
    operation !== undefined && html`<strong>${operation}</strong>`,
    path !== undefined && html`to <code>${path}</code>`,
    key !== undefined && html`with <a href="${console}/keys/${key}">key ${key}</a>`,
    event !== undefined && html`message of <code>${event}</code>`,
    webhook !== undefined && html`to <a href="${console}/webhooks/${webhook}">webhook ${webhook}</a>`,
  ]
}

/** The most frequent faults by the value alone, such as `503` and `lose`. */
const nameOfFault = (fault = "any fault"): string => fault.replace(/^(?:code|fault)=([\w-]+)$/, "$1")

/** Without the errors of floating point. */
const percentOf = (share: number): number => Number((share * 100).toPrecision(12))
