import { html, type Markup } from "../html.ts"

type Place = { root: string; path: string; query: URLSearchParams }

export type Control = { name: string; label: string } & (
  | { kind: "text"; maxLength: number }
  /** A minute, as HTML has it (`datetime-local`), without a zone. */
  | { kind: "time" }
  /** What can be chosen, by its value; `none` is what nothing chosen is called, "Any" unless told. */
  | { kind: "choice"; choices: Record<string, string>; none?: string }
)

/** Narrows a list down: what is searched for is in the address of the page. */
export const searchForm = ({ root, path, query }: Place, controls: readonly Control[], button = "Search"): Markup =>
  html`<form class="search" role="search" method="get" action="${root}${path}">
${controls.map(
  (control) => html`<div><label for="${control.name}">${control.label}</label>
${render(control, query.get(control.name) ?? "")}</div>`,
)}
<button class="small">${button}</button>
</form>`

const render = (control: Control, given: string): Markup =>
  control.kind !== "choice"
    ? html`<input id="${control.name}" name="${control.name}" value="${given}"${control.kind === "text" ? html` maxlength="${control.maxLength}"` : html` type="datetime-local"`}>`
    : html`<select id="${control.name}" name="${control.name}"><option value="">${control.none ?? "Any"}</option>${Object.entries(
        control.choices,
      ).map(
        ([value, word]) => html`<option value="${value}"${given === value && html` selected`}>${word}</option>`,
      )}</select>`

/** The order of a list that is sorted by id. */
export const newestFirst: Control = {
  kind: "choice",
  name: "sort",
  label: "Sorted",
  choices: { "-id": "Newest first", id: "Oldest first" },
  none: "As usual",
}

/** Choices that are called what they are. */
export const asChoices = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, word]))
