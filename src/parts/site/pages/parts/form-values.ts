import type { JsonSchema } from "../../../../core/kernel/schema/type.ts"

type Kind = "text" | "choice" | "choices" | "lines" | "number" | "time" | "yes-no"

/** An object with a single property, such as a category with its name, is edited as that property. */
export function unwrap(shape: JsonSchema): { shape: JsonSchema; property: string | undefined } {
  const [only, more] = Object.entries(shape.properties ?? {})
  return only && !more ? { shape: only[1], property: only[0] } : { shape, property: undefined }
}

export function controlKindOf(wrapped: JsonSchema): Kind {
  const { shape } = unwrap(wrapped)
  const type = [shape.type].flat()[0]
  if (type === "array") return shape.items?.enum ? "choices" : "lines"
  if (shape.enum) return "choice"
  if (type === "boolean") return "yes-no"
  if (shape.format === "date-time") return "time"
  return type === "integer" || type === "number" ? "number" : "text"
}

/** The value of a `datetime-local` input, which has no time zone; forms say that it is UTC. */
const localTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/

/** Adds the UTC zone to a `datetime-local` value. Other texts are returned unchanged, for the operation to reject. */
export const withZone = (text: string): string =>
  text.replace(localTime, (_, minute, seconds = ":00") => `${minute}${seconds}Z`)

const toLocalTime = (time: string): string =>
  Number.isNaN(Date.parse(time)) ? time : new Date(time).toISOString().slice(0, 16)

export function textsOf(wrapped: JsonSchema, value: unknown): string[] {
  if (value === undefined || value === null) return []
  const { shape, property } = unwrap(wrapped)
  const bare = property === undefined ? value : (value as Record<string, unknown>)[property]
  if (!Array.isArray(bare)) return [controlKindOf(wrapped) === "time" ? toLocalTime(String(bare)) : String(bare)]
  const items = bare.flatMap((item) => textsOf(shape.items ?? {}, item))
  return controlKindOf(wrapped) === "lines" ? [items.join("\n")] : items
}

/** Whether a text is a number of the kind that the schema wants. */
const isNumber = (text: string, { type }: JsonSchema): boolean =>
  type === "number" ? Number.isFinite(Number(text)) : /^-?\d+$/.test(text)

/** Invalid text is returned unchanged, for the operation to reject. */
export function readFormTexts(wrapped: JsonSchema, texts: readonly string[], isRequired: boolean): unknown {
  const { shape, property } = unwrap(wrapped)
  const wrap = (value: unknown) => (property === undefined ? value : { [property]: value })
  const [text = ""] = texts
  switch (controlKindOf(wrapped)) {
    case "choices":
      return texts
    case "lines":
      return text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .map((line) => readFormTexts(shape.items ?? {}, [line], true))
    case "yes-no":
      return texts.length > 0
    case "number":
      if (text.trim() === "") return undefined
      return wrap(isNumber(text.trim(), shape) ? Number(text) : text)
    case "time":
      if (text === "") return undefined
      return wrap(withZone(text))
    default:
      return text === "" && !isRequired ? undefined : wrap(text)
  }
}
