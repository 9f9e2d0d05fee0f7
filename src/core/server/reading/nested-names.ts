/** The texts given under one name, and what is given within it: `tags[0][name]` and `tags.0.name` are `name` within `0` within `tags`. */
export type NestedField = { readonly texts: string[]; within: NestedFields }
export type NestedFields = Map<string, NestedField>

/** Whether a name has a part in brackets or after a dot, as PHP, jQuery, axios, qs and Spring write lists and objects. */
export const isNested = (name: string): boolean => /[[.]/.test(name)

/** The part before the first bracket or dot. */
export const baseOf = (name: string): string => (/^[^[.]*/.exec(name) as RegExpExecArray)[0]

/** Adds a text under a name of any form; a name that is no such form ends with an empty part, which no list or object has. */
export function addField(fields: NestedFields, name: string, text: string): void {
  let here = fieldAt(fields, baseOf(name))
  for (const part of isNested(name) ? partsOf(name) : []) here = fieldAt(insideOf(here), part)
  here.texts.push(text)
}

/** Deeper parts are beyond every schema. */
const partsMax = 8

function partsOf(name: string): string[] {
  const rest = name.slice(baseOf(name).length)
  if (!/^(\[[^[\]]*\]|\.[^[\].]+)*$/.test(rest)) return [malformedPart]
  const parts = [...rest.matchAll(/\[([^[\]]*)\]|\.([^[\].]+)/g)].map(
    ([, inBrackets, afterDot]) => inBrackets ?? afterDot,
  )
  return parts.length > partsMax ? [malformedPart] : (parts as string[])
}

const malformedPart = "]"

function fieldAt(fields: NestedFields, name: string): NestedField {
  const known = fields.get(name)
  if (known) return known
  const field: NestedField = { texts: [], within: noFields }
  fields.set(name, field)
  return field
}

/** Shared, because a form may have tens of thousands of fields. */
const noFields: NestedFields = new Map()

function insideOf(field: NestedField): NestedFields {
  if (field.within === noFields) field.within = new Map()
  return field.within
}

/**
 * The items within a list: those of `[0]`, `[1]`, … by number, then those of `[]` in order; undefined when anything else is within it.
 * The nth text of `tags[][name]` and the nth of `tags[][id]` belong to the same item.
 */
export function itemsWithin({ within }: NestedField): NestedField[] | undefined {
  const parts = [...within.keys()]
  if (!parts.every((part) => /^\d*$/.test(part))) return undefined
  const numbered = parts.filter((part) => part !== "").sort((a, b) => Number(a) - Number(b))
  const appended = within.get("")
  if (appended && [...appended.within.values()].some((member) => member.within.size > 0)) return undefined
  return [...numbered.map((part) => within.get(part) as NestedField), ...(appended ? separate(appended) : [])]
}

function separate({ texts, within }: NestedField): NestedField[] {
  const items = texts.map((text): NestedField => ({ texts: [text], within: new Map() }))
  const objects: NestedField[] = []
  for (const [name, member] of within)
    for (const [n, text] of member.texts.entries()) {
      objects[n] ??= { texts: [], within: new Map() }
      fieldAt(objects[n].within, name).texts.push(text)
    }
  return [...items, ...objects]
}
