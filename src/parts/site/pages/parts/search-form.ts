import type { Violation } from "../../../../core/kernel/problem.ts"
import { html, type Markup } from "../html.ts"
import type { LabelOf } from "./in-labels.ts"

type PageContext = { root: string; path: string; query: URLSearchParams }

export type Control = {
  name: string
  label: string
  /** Names of the controls that may have no value beside this one. */
  excludes?: readonly string[]
  /** It is folded away while it has no value. */
  isFurther?: true
} & (
  | { kind: "text"; maxLength: number; suggestions?: readonly string[]; example?: string }
  /** A `datetime-local` value, without a time zone. */
  | { kind: "time" }
  /** Labels by value; `none` is the label of the empty choice (default "Any"). */
  | { kind: "choice"; choices: Record<string, string>; none?: string }
)

type Look = {
  /** Label of the button (default "Search"). */
  button?: string | undefined
  /** Why the search was rejected, shown beside the controls. */
  violations?: readonly Violation[]
  /** Parameters of the query that a search keeps. */
  kept?: readonly string[]
}

/** The query is in the page's address. */
export function searchForm(
  { root, path, query }: PageContext,
  controls: readonly Control[],
  { button = "Search", violations = [], kept = [] }: Look = {},
): Markup {
  const exclusive = controls.filter(({ excludes }) => excludes)
  const show = (control: Control) => labelled(control, query.get(control.name) ?? "", errorIn(control, violations))
  const [usual, further] = [controls.filter((one) => !one.isFurther), controls.filter((one) => one.isFurther)]
  return html`<form class="search" role="search" method="get" action="${root}${path}">
${kept.map((name) => query.has(name) && html`<input type="hidden" name="${name}" value="${query.get(name) ?? ""}">`)}
${usual.map(show)}
<button class="quiet small">${button}</button>
${
  further.length > 0 &&
  html`<details${further.some(({ name }) => query.get(name)) && html` open`}><summary>More filters</summary>
<div class="further">${further.map(show)}</div></details>`
}
${exclusive.length > 0 && html`<p class="hint" id="exclusive-hint">${exclusive.map(inWords)}</p>`}
</form>`
}

/** Whether all violations are of parameters that the controls set. */
export const isBeside = (controls: readonly Control[], violations: readonly Violation[]): boolean =>
  violations.length > 0 && violations.every((each) => controls.some((control) => isOf(control, each)))

export const labelIn =
  (controls: readonly Control[]): LabelOf =>
  (parameter) =>
    controls.find(({ name }) => name === parameter)?.label

const isOf = ({ name }: Control, violation: Violation): boolean =>
  "parameter" in violation && violation.parameter === name

function errorIn(control: Control, violations: readonly Violation[]): string | undefined {
  const [first] = violations.filter((each) => isOf(control, each))
  return first && `This ${first.detail}.`
}

const list = new Intl.ListFormat("en")
const inWords = ({ name, excludes = [] }: Control): string => `Use ${name}, or ${list.format(excludes)}.`

function labelled(control: Control, value: string, error: string | undefined): Markup {
  const { name, label, excludes } = control
  const notes = [excludes && "exclusive-hint", error && `${name}-error`].filter(Boolean)
  const marks = html`${excludes && html` data-excludes="${excludes.join(" ")}"`}${error && html` aria-invalid="true"`}${notes.length > 0 && html` aria-describedby="${notes.join(" ")}"`}`
  return html`<div><label for="${name}">${label}</label>
${render(control, value, marks)}${error && html`<p class="error" id="${name}-error" role="alert">${error}</p>`}</div>`
}

function render(control: Control, value: string, marks: Markup): Markup {
  const { name } = control
  if (control.kind === "time")
    return html`<input id="${name}" name="${name}" value="${value}" type="datetime-local"${marks}>`
  if (control.kind === "choice") {
    const choices = Object.entries({ "": control.none ?? "Any", ...control.choices })
    return html`<select id="${name}" name="${name}"${marks}>${choices.map(
      ([choice, label]) => html`<option value="${choice}"${choice === value && html` selected`}>${label}</option>`,
    )}</select>`
  }
  const suggestions = [...new Set(control.suggestions)].sort()
  return html`<input id="${name}" name="${name}" value="${value}" maxlength="${control.maxLength}"${control.example !== undefined && html` placeholder="${control.example}"`} autocomplete="off"${marks}${suggestions.length > 0 && html` list="suggestions-${name}"`}>
${suggestions.length > 0 && html`<datalist id="suggestions-${name}">${suggestions.map((each) => html`<option value="${each}">`)}</datalist>`}`
}

export const newestFirst: Control = {
  kind: "choice",
  name: "sort",
  label: "Sort by",
  choices: { "-id": "Newest first", id: "Oldest first" },
  none: "Default",
}

export const asChoices = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, word]))
