import type { Static } from "typebox"
import { api } from "../../../core/domain/api.ts"
import { Problem, problem, type Violation } from "../../../core/kernel/problem.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { formOf } from "../../console/pages/form.ts"
import type { ConsolePage, Visit } from "../../console/pages/page.ts"
import { fieldsOf } from "../../console/pages/parts/fields.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { heading } from "../../site/pages/parts/heading.ts"
import { endpointPaths, FaultMatch, type FaultRule } from "../faults/contract.ts"
import { inSandbox, sandboxPageOf } from "../pages/sandbox-home.ts"
import { changeRules, findRule, readRules, requireRule, ruleFields } from "./change-rules.ts"
import { faultChoices } from "./fault-words.ts"

const ChosenFault = Type.Object({
  choice: Type.Enum(Object.keys(faultChoices)),
  fault: Type.Optional(Type.String({ maxLength: 200 })),
})
const InList = Type.Object({
  rank: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  enabled: Type.Boolean(),
})

const faultFields = fieldsOf(ChosenFault, {
  choice: { label: "Fault", choices: faultChoices },
  fault: {
    label: "The fault",
    hint: "As in Prefer, several separated by commas: wait=0.3, code=503. At /oauth/token, code is an error of OAuth, such as invalid_grant.",
  },
})

const listFields = fieldsOf(InList, {
  rank: { label: "Number in the list", hint: "The first rule that matches decides." },
  enabled: { label: "It has effect" },
})

const matchFields = fieldsOf(FaultMatch, {
  operation: { label: "Operation", hint: "Without any condition: every request.", suggestions: Object.keys(api) },
  path: { label: "Path", hint: "/pet/1, or /pet/* for all that begin so.", suggestions: endpointPaths },
  key: { label: "Id of the API key" },
  event: { label: "Message of the event" },
  webhook: { label: "Message to the webhook with the id" },
  share: { label: "Share of them, from 0 to 1", hint: "0.2 for one in five." },
  times: { label: "Only the first so many" },
  until: { label: "Until", hint: "In UTC, by the clock of the sandbox." },
  seed: { label: "Seed of the share", hint: "Makes the choice reproducible." },
})

type RuleForm = Static<typeof ChosenFault> & Static<typeof InList> & { match: Static<typeof FaultMatch> }

const ruleForm = formOf<RuleForm>({
  action: "save",
  fields: {
    render: (state) => html`${[faultFields, matchFields, listFields].map((fields) => fields.render(state))}`,
    read: (form) => ({ ...faultFields.read(form), ...listFields.read(form), match: matchFields.read(form) }),
    check: (form) => [faultFields, matchFields, listFields].flatMap((fields) => fields.check(form)),
    labelOf: (name) => faultFields.labelOf(name) ?? matchFields.labelOf(name) ?? listFields.labelOf(name),
  },
  async submit(visit, body, form) {
    const isNew = visit.params.rule === "new"
    let index = 0
    try {
      await changeRules(visit, (rules: readonly FaultRule[]) => {
        const before = isNew ? -1 : findRule(rules, form)
        const others = rules.filter((_, n) => n !== before)
        index = Math.min(Math.max(0, (body.rank ?? 1) - 1), others.length)
        return others.toSpliced(index, 0, toRule(body, rules[before]))
      })
    } catch (error) {
      throw error instanceof Problem ? atFields(error, `/rules/${index}/`, body) : error
    }
    return { to: sandboxPageOf(visit), notice: isNew ? "The fault rule was added" : "The fault rule was changed" }
  },
})

/** The rule of a form. An end that the form shows to the minute stays as it was, unless it was changed. */
function toRule({ choice, fault, enabled, match }: RuleForm, before: FaultRule | undefined): FaultRule {
  const end = before?.match?.until
  const isSameEnd = end !== undefined && toMinute(end) === (match.until && toMinute(match.until))
  const whole = isSameEnd ? { ...match, until: end } : match
  const chosen = choice === "other" ? (fault ?? "") : choice
  return {
    ...(Object.keys(whole).length > 0 && { match: whole }),
    ...(choice !== "any" && { fault: chosen }),
    ...(!enabled && { enabled }),
  }
}

const toMinute = (time: string): number => Math.floor(Date.parse(time) / 60_000)

/** The same refusal, with its violations at the fields of the form. */
function atFields(refusal: Problem, start: string, { choice }: RuleForm): Problem {
  const violations = refusal.violations.map((each): Violation => {
    if (!("pointer" in each) || !each.pointer.startsWith(start)) return each
    const member = each.pointer.slice(start.length).replace(/^match\//, "")
    const isOfFault = member === "fault" || member === "match"
    return { ...each, pointer: `/${isOfFault ? (choice === "other" ? "fault" : "choice") : member}` }
  })
  return violations.length > 0 ? problem(refusal.code, violations) : refusal
}

/** What the form shows of a rule. */
function valuesOf({ match, fault, enabled }: FaultRule, number: number) {
  const isListed = fault !== undefined && fault in faultChoices
  const choice = fault === undefined ? "any" : isListed ? fault : "other"
  return { ...match, choice, ...(choice === "other" && { fault }), rank: number, enabled: enabled !== false }
}

const faultAt = (path: `/${string}`): ConsolePage => ({
  path,
  title: "Fault",
  scope: "admin",
  async show(visit) {
    await inSandbox(visit)
    const { name, rule } = visit.params
    const home = sandboxPageOf(visit)
    const back = { to: home, label: name === undefined ? "Sandbox" : `Sandbox ${name}` }
    const [title, form] = rule === "new" ? ["Add a fault", newForm(visit)] : await changeForm(visit, Number(rule))
    return html`${heading(visit, { back, title })}
<div class="rule-form" data-dialog>${form}
<a class="quiet" href="${visit.root}${home}">Cancel</a></div>`
  },
  actions: ruleForm.actions,
})

const newForm = (visit: Visit): Markup =>
  ruleForm.render(visit, { button: "Add the fault", values: { choice: "code=503", rank: 1, enabled: true } })

/** The form of a rule; after a refusal it remains about the one that was submitted. */
async function changeForm(visit: Visit, number: number): Promise<[title: string, Markup]> {
  const rule = requireRule((await readRules(visit)).rules, number)
  const submitted = visit.failure?.form
  const hidden = Object.entries(ruleFields(rule, number - 1)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${submitted?.get(name) ?? value}">`,
  )
  const look = { button: "Change the fault", values: valuesOf(rule, number), before: html`${hidden}` }
  return [`Change fault ${number}`, ruleForm.render(visit, look)]
}

export const faultPage = faultAt("/faults/:rule")
export const namedFaultPage = faultAt("/sandbox/:name/faults/:rule")

/** The path of the page of a rule, or for a new one. */
export const faultPageOf = ({ params: { name } }: Visit, rule: number | "new"): string =>
  name === undefined ? `/faults/${rule}` : `/sandbox/${name}/faults/${rule}`
