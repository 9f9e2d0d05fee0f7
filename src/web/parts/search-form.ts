import { html, type Markup } from "../html.ts"

type Place = { root: string; path: string; query: URLSearchParams }

export type Control = { name: string; label: string } /** `suggestions` are suggestions. */ & (
  | { kind: "text"; maxLength: number; suggestions?: readonly string[] }
  /** A `datetime-local` value, without a time zone. */
  | { kind: "time" }
  /** Labels by value; `none` is the label of the empty choice (default "Any"). */
  | { kind: "choice"; choices: Record<string, string>; none?: string }
)

/** A search form; the query is in the page's address. */
export const searchForm = ({ root, path, query }: Place, controls: readonly Control[], button = "Search"): Markup =>
  html`<form class="search" role="search" method="get" action="${root}${path}">
${controls.map(
  (control) => html`<div><label for="${control.name}">${control.label}</label>
${render(control, query.get(control.name) ?? "")}</div>`,
)}
<button class="small">${button}</button>
</form>`

function render(control: Control, value: string): Markup {
  const { name } = control
  if (control.kind === "time") return html`<input id="${name}" name="${name}" value="${value}" type="datetime-local">`
  if (control.kind === "choice") {
    const choices = Object.entries({ "": control.none ?? "Any", ...control.choices })
    return html`<select id="${name}" name="${name}">${choices.map(
      ([choice, label]) => html`<option value="${choice}"${choice === value && html` selected`}>${label}</option>`,
    )}</select>`
  }
  const suggestions = [...new Set(control.suggestions)].sort()
  return html`<input id="${name}" name="${name}" value="${value}" maxlength="${control.maxLength}" autocomplete="off"${suggestions.length > 0 && html` list="suggestions-${name}"`}>
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
