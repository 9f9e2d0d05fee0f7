import type { JsonSchema } from "../../../../core/kernel/schema/type.ts"
import { html, type Markup } from "../html.ts"
import { controlKindOf, unwrap } from "./form-values.ts"

export type FieldLabels = {
  label: string
  hint?: string
  autocomplete?: string
  choices?: Readonly<Record<string, string>>
  /** Texts that a browser offers. */
  suggestions?: readonly string[]
}

type Field = {
  id: string
  name: string
  shape: JsonSchema
  labels: FieldLabels
  isRequired: boolean
  texts: readonly string[]
  /** Validation errors, each the end of a sentence. */
  errors: readonly string[]
}

/** From this maximum length on, a text gets a textarea. */
const longText = 300

export function field({ id, name, shape, labels, isRequired, texts, errors }: Field): Markup {
  const kind = controlKindOf(shape)
  const { shape: inner } = unwrap(shape)
  const described = [...(labels.hint === undefined ? [] : [`${id}-hint`]), ...(errors.length ? [`${id}-error`] : [])]
  const more = html`${isRequired && kind !== "yes-no" && html` required`}${labels.autocomplete !== undefined && html` autocomplete="${labels.autocomplete}"`}${errors.length > 0 && html` aria-invalid="true"`}${
    described.length > 0 && html` aria-describedby="${described.join(" ")}"`
  }`
  const notes = html`${labels.hint !== undefined && html`<p class="hint" id="${id}-hint">${labels.hint}</p>`}
${errors.length > 0 && html`<p class="error" id="${id}-error">${labels.label} ${errors.join("; ")}</p>`}`
  const label = html`<label for="${id}">${labels.label}${isRequired && kind !== "yes-no" && html` <span class="soft">required</span>`}</label>`
  const [text = ""] = texts

  switch (kind) {
    case "choice":
      return html`<div class="field">${label}
<select id="${id}" name="${name}"${more}>${!isRequired && html`<option value=""></option>`}${options(inner, texts, labels)}</select>${notes}</div>`
    case "choices":
      return html`<fieldset class="field"${described.length > 0 && html` aria-describedby="${described.join(" ")}"`}>
<legend>${labels.label}</legend>${boxes(name, inner.items?.enum?.map(String) ?? [], texts, labels)}${notes}</fieldset>`
    case "yes-no":
      return html`<div class="field"><label class="check"><input type="checkbox" name="${name}" value="yes"${texts[0] !== undefined && texts[0] !== "false" && html` checked`}${more}> ${labels.label}</label>${notes}</div>`
    default:
      return html`<div class="field">${label}
${
  kind === "lines" || isLong(inner)
    ? html`<textarea id="${id}" name="${name}" rows="3"${limits(inner)}${more}>
${text}</textarea>`
    : html`<input id="${id}" name="${name}" type="${inputType(kind, inner)}" value="${inner.format === "password" ? "" : text}"${limits(inner)}${labels.suggestions && html` list="${id}-list"`}${more}>${
        labels.suggestions &&
        html`<datalist id="${id}-list">${labels.suggestions.map((each) => html`<option value="${each}">`)}</datalist>`
      }`
}${notes}</div>`
  }
}

const isLong = ({ maxLength = 0, format }: JsonSchema): boolean => maxLength >= longText && format === undefined

const options = (
  { enum: all = [] }: JsonSchema,
  [chosen]: readonly string[],
  { choices = {} }: FieldLabels,
): Markup[] =>
  all
    .map(String)
    .map(
      (value) =>
        html`<option value="${value}"${value === chosen && html` selected`}>${choices[value] ?? value}</option>`,
    )

const boxes = (
  name: string,
  all: readonly string[],
  chosen: readonly string[],
  { choices = {} }: FieldLabels,
): Markup[] =>
  all.map(
    (value) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}> <span>${choices[value] ?? value}${choices[value] !== undefined && html` <code>${value}</code>`}</span></label>`,
  )

const inputType = (kind: string, { format }: JsonSchema): string => {
  if (kind === "number") return "number"
  if (kind === "time") return "datetime-local"
  return (format !== undefined && inputTypes[format]) || "text"
}
const inputTypes: Record<string, string> = { password: "password", email: "email", uri: "url" }

const limits = ({ type, minLength, maxLength, minimum, maximum }: JsonSchema): Markup =>
  html`${type === "number" && html` step="any"`}${minLength !== undefined && html` minlength="${minLength}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${minimum !== undefined && html` min="${minimum}"`}${maximum !== undefined && html` max="${maximum}"`}`
