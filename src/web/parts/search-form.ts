import { html, type Markup } from "../html.ts"

type Place = { root: string; path: string; query: URLSearchParams }

export type Control = { name: string; label: string } /** `known` are suggestions. */ & (
  | { kind: "text"; maxLength: number; known?: readonly string[] }
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

function render(control: Control, given: string): Markup {
  const { name } = control
  if (control.kind === "time") return html`<input id="${name}" name="${name}" value="${given}" type="datetime-local">`
  if (control.kind === "choice") {
    const choices = Object.entries({ "": control.none ?? "Any", ...control.choices })
    return html`<select id="${name}" name="${name}">${choices.map(
      ([value, word]) => html`<option value="${value}"${given === value && html` selected`}>${word}</option>`,
    )}</select>`
  }
  const known = [...new Set(control.known)].sort()
  return html`<input id="${name}" name="${name}" value="${given}" maxlength="${control.maxLength}" autocomplete="off"${known.length > 0 && html` list="known-${name}"`}>
${known.length > 0 && html`<datalist id="known-${name}">${known.map((each) => html`<option value="${each}">`)}</datalist>`}`
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
