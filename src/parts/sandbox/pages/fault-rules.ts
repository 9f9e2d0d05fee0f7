import { api } from "../../../core/domain/api.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { at, problem, type Violation } from "../../../core/kernel/problem.ts"
import { text } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { apiRequest } from "../../console/pages/parts/api-request.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import { detail } from "../../site/pages/parts/detail.ts"
import { postForm } from "../../site/pages/parts/post-form.ts"
import type { FaultRule } from "../faults/contract.ts"
import { faultList, faultSuggestions } from "./fault-words.ts"
import { inSandbox, sandboxPageOf } from "./sandbox-home.ts"

/** A row of the form; without a rule it is for a new one. */
type Row = { rule?: FaultRule; count?: number; errors: readonly string[] }

const jsonForm = formOf({
  action: "faults",
  fields: fieldsOf(Type.Object({ rules: Type.Optional(text(0, 60_000)) }), {
    rules: { label: "Rules", hint: "As in PUT /sandbox/faults." },
  }),
  submit: (visit, { rules }) => replaceRules(visit, parseRules(rules)),
})

const saveRows: Action = (visit, form) => replaceRules(visit, rulesIn(form))

export const faultActions: Readonly<Record<string, Action>> = {
  ...jsonForm.actions,
  "fault-rows": saveRows,
  async clear(visit) {
    const { value } = await (await inSandbox(visit)).deleteFaults()
    return { to: sandboxPageOf(visit), notice: value.message }
  },
}

async function replaceRules(visit: Visit, rules: FaultRule[]) {
  const { value } = await (await inSandbox(visit)).setFaults({ body: { rules } })
  return { to: sandboxPageOf(visit), notice: `In force: ${counted(value.rules.length, "fault rule")}` }
}

function parseRules(rules = ""): FaultRule[] {
  try {
    return JSON.parse(rules || "[]")
  } catch (error) {
    throw problem("invalid-body", at("/rules", "wrong-form", `must be JSON: ${(error as Error).message}`))
  }
}

export async function faultSection(visit: Visit): Promise<Markup> {
  const called = await (await inSandbox(visit)).getFaults()
  const rules = called.value.rules.map(({ count, ...rule }) => ({ count, rule }))
  const json = `[\n${rules.map(({ rule }) => JSON.stringify(rule)).join(",\n")}\n]`
  return html`<h2>Faults</h2>
<p class="soft">The first rule that matches a request, or a message to a webhook, makes it fail.</p>
${detail(
  html`${rowsForm(visit, rowsOf(visit, rules))}
${rules.length > 0 && html`<div class="doings">${actionButton(visit, { action: "clear", label: "End all rules", variant: "quiet small" })}</div>`}
<div class="json">${jsonForm.render(visit, { button: "Set the rules", values: { rules: rules.length > 0 ? json : "" }, folded: "Edit as JSON" })}</div>`,
  faultList,
)}
${apiRequest(visit, called)}`
}

/** The rules in force; after a refusal those that were submitted. The last row is for a new rule. */
function rowsOf({ failure }: Visit, rules: readonly { rule: FaultRule; count: number }[]): Row[] {
  if (failure?.form.get("action") !== "fault-rows")
    return [...rules.map((each) => ({ ...each, errors: [] })), { errors: [] }]
  const submitted = rulesIn(failure.form)
  const rows = submitted.map((rule, n) => ({ rule, errors: errorsOf(failure.problem.violations, n) }))
  return [...rows, { errors: [] }]
}

const errorsOf = (violations: readonly Violation[], n: number): string[] =>
  violations.flatMap((each) =>
    "pointer" in each && each.pointer.startsWith(`/rules/${n}/`)
      ? [`${each.pointer.split("/").at(-1)} ${each.detail}`]
      : [],
  )

const rowsForm = (visit: Visit, rows: readonly Row[]): Markup =>
  postForm(
    visit,
    html`<input type="hidden" name="rows" value="${rows.length}">
${faultSuggestions}
<ol class="rules">${rows.map(rowOf)}</ol>
<button>Save the rules</button>`,
    { action: "fault-rows", className: "rule-form" },
  )

const operations = Object.keys(api)

const rowOf = ({ rule, count, errors }: Row, n: number): Markup => html`<li>
${rule && html`<input type="hidden" name="rule-${n}" value="${JSON.stringify(rule)}">`}
<div><label for="operation-${n}">Operation</label><select id="operation-${n}" name="operation-${n}"><option value="">Any</option>${operations.map(
  (name) => html`<option${name === rule?.match?.operation && html` selected`}>${name}</option>`,
)}</select></div>
<div><label for="path-${n}">Path</label><input id="path-${n}" name="path-${n}" value="${rule?.match?.path ?? ""}" list="paths" placeholder="/pet/*" maxlength="201"></div>
<div class="wide"><label for="fault-${n}">Fault</label><input id="fault-${n}" name="fault-${n}" value="${rule?.fault ?? ""}" list="faults" placeholder="code=503" maxlength="200"></div>
<div class="thin"><label for="share-${n}">Share %</label><input id="share-${n}" name="share-${n}" type="number" min="0" max="100" step="any" value="${percentOf(rule?.match?.share)}"></div>
<div class="thin"><label for="times-${n}">Times</label><input id="times-${n}" name="times-${n}" type="number" min="1" value="${rule?.match?.times ?? ""}"></div>
<div class="thin"><label for="order-${n}">Order</label><input id="order-${n}" name="order-${n}" type="number" value="${n + 1}"></div>
<div class="ticks"><label class="check"><input type="checkbox" name="enabled-${n}" value="yes"${rule?.enabled !== false && html` checked`}> On</label>
${rule && html`<label class="check"><input type="checkbox" name="remove-${n}" value="yes"> Remove</label>`}${count !== undefined && html` <span class="soft">affected ${count}</span>`}</div>
${errors.map((error) => html`<p class="error">${error}</p>`)}
</li>`

/** Without the errors of floating point, and with the text of what is no number. */
const scaled = (value: number, factor: number): number =>
  typeof value === "number" ? Number((value * factor).toPrecision(12)) : value

const percentOf = (share: number | undefined) => (share === undefined ? "" : scaled(share, 100))

/** A text that is no number stays one, so that the operation refuses it. */
const numberIn = (text: string): number => (Number.isFinite(Number(text)) ? Number(text) : (text as unknown as number))

/** The rules of the submitted rows in their order. A row without anything, and one that is to be removed, is none. */
function rulesIn(form: URLSearchParams): FaultRule[] {
  const count = Math.min(Number(form.get("rows")) || 0, 101)
  return Array.from({ length: count }, (_, n) => ({ order: Number(form.get(`order-${n}`)), n }))
    .sort((one, other) => one.order - other.order)
    .flatMap(({ n }) => ruleIn(form, n))
}

const shown = ["operation", "path", "fault", "share", "times"]

function ruleIn(form: URLSearchParams, n: number): FaultRule[] {
  const [operation, path, fault, share, times] = shown.map((name) => form.get(`${name}-${n}`)?.trim() ?? "")
  const [before] = parseRules(`[${form.get(`rule-${n}`) ?? ""}]`)
  const isEmpty = before === undefined && [operation, path, fault, share, times].every((each) => each === "")
  if (isEmpty || form.get(`remove-${n}`) === "yes") return []
  const { operation: _, path: __, share: ___, times: ____, ...unshown } = before?.match ?? {}
  const match = {
    ...unshown,
    ...(operation && { operation }),
    ...(path && { path }),
    ...(share && { share: scaled(numberIn(share), 0.01) }),
    ...(times && { times: numberIn(times) }),
  }
  return [
    {
      ...(Object.keys(match).length > 0 && { match }),
      ...(fault && { fault }),
      ...(form.get(`enabled-${n}`) !== "yes" && { enabled: false }),
    },
  ]
}
