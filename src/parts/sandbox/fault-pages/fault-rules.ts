import { counted } from "../../../core/kernel/counted.ts"
import { at, problem } from "../../../core/kernel/problem.ts"
import { text } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { apiRequest } from "../../console/pages/parts/api-request.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import type { FaultRule } from "../faults/contract.ts"
import { inSandbox, sandboxPageOf } from "../pages/sandbox-home.ts"
import { changeRules, findRule, type RuleInForce, readRules, ruleFields, withoutCount } from "./change-rules.ts"
import { faultPageOf } from "./fault-page.ts"
import { recipeActions, recipeButtons } from "./fault-recipes.ts"
import { faultSentence } from "./fault-sentence.ts"

const jsonFields = fieldsOf(Type.Object({ rules: Type.Optional(text(0, 60_000)) }), {
  rules: { label: "Rules", hint: "As in PUT /sandbox/faults." },
})

const jsonForm = formOf({
  action: "faults",
  // The members are in the text that the person writes.
  fields: { ...jsonFields, labelOf: () => undefined },
  async submit(visit, { rules = "" }, form) {
    const wanted = parseRules(rules)
    const shown = form.get("shown")
    await changeRules(visit, (before) => {
      if (shown !== null && shown !== shownAs(before))
        throw problem("invalid-parameter", "The rules were changed meanwhile. Nothing was changed now")
      return wanted
    })
    return { to: sandboxPageOf(visit), notice: `In force: ${counted(wanted.length, "fault rule")}` }
  },
})

function parseRules(rules: string): FaultRule[] {
  try {
    return JSON.parse(rules || "[]")
  } catch (error) {
    throw problem("invalid-body", at("/rules", "wrong-form", `must be JSON: ${(error as Error).message}`))
  }
}

/** Changes the rule that a form is about; undefined removes it. */
const changing =
  (notice: string, change: (rule: RuleInForce) => FaultRule | undefined): Action =>
  async (visit, form) => {
    await changeRules(visit, (rules) => {
      const index = findRule(rules, form)
      return rules.flatMap((rule, n) => (n === index ? (change(rule) ?? []) : rule))
    })
    return { to: sandboxPageOf(visit), notice }
  }

export const faultActions: Readonly<Record<string, Action>> = {
  ...jsonForm.actions,
  ...recipeActions,
  remove: changing("The fault rule was removed", () => undefined),
  off: changing("The fault rule is switched off", (rule) => ({ ...rule, enabled: false })),
  on: changing("The fault rule has effect", ({ enabled: _, ...rule }) => rule),
  async clear(visit) {
    const { value } = await (await inSandbox(visit)).deleteFaults()
    return { to: sandboxPageOf(visit), notice: value.message }
  },
}

/** What fails in the sandbox of a page: faults with a name, and its rules, each on a line. */
export async function faultSection(visit: Visit): Promise<Markup> {
  const { rules, now } = await readRules(visit)
  const add = faultPageOf(visit, "new")
  return html`<div class="heading"><h2 id="faults">Faults</h2><p class="actions"><a href="${visit.root}${add}" data-dialog>Add a fault</a></p></div>
${recipeButtons(visit, rules, now)}
${rules.length > 0 && html`<ol class="rules">${rules.map((rule, index) => ruleLine(visit, rule, index, now))}</ol>`}
<div class="doings json">${rules.length > 0 && actionButton(visit, { action: "clear", label: "End all faults", variant: "quiet small" })}
${jsonForm.render(visit, { button: "Set the rules", variant: "quiet", values: { rules: toJson(rules) }, before: html`<input type="hidden" name="shown" value="${shownAs(rules)}">`, folded: "Edit as JSON" })}</div>`
}

/** The request that reads the rules. */
export const faultRequest = async (visit: Visit): Promise<Markup> =>
  apiRequest(visit, await (await inSandbox(visit)).getFaults())

const toJson = (rules: readonly RuleInForce[]): string =>
  rules.length > 0 ? `[\n${rules.map((rule) => JSON.stringify(withoutCount(rule))).join(",\n")}\n]` : ""

const shownAs = (rules: readonly RuleInForce[]): string => JSON.stringify(rules.map(withoutCount))

function ruleLine(visit: Visit, rule: RuleInForce, index: number, now: number): Markup {
  const fields = ruleFields(rule, index)
  const isOff = rule.enabled === false
  const button = (action: string, label: string) =>
    actionButton(visit, { action, label, variant: "quiet small", fields })
  return html`<li>${faultSentence(visit, rule, now)}
<div class="doings"><a href="${visit.root}${faultPageOf(visit, index + 1)}" data-dialog>Change</a>
${button(isOff ? "on" : "off", isOff ? "Switch on" : "Switch off")}
${button("remove", "Remove")}</div></li>`
}
