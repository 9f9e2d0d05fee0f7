import type { TSchema } from "typebox"
import { at, problem } from "../../kernel/problem.ts"
import { isClosed } from "../../kernel/schema/close-schema.ts"
import { readScalar } from "../../kernel/schema/scalar.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import { parseXml, type XmlElement } from "./parse-xml.ts"
import { elementName } from "./write-xml.ts"

/**
 * Converts an XML body to the JSON that its schema describes. What does not fit is left for the schema to refuse, and so are unknown
 * elements if it is closed.
 */
export async function readXml(bytes: Buffer, schema: TSchema): Promise<unknown> {
  const root = await parseXml(bytes)
  const name = elementName(schema as JsonSchema, "")
  if (comparable(root.name) === comparable(name)) return readElement(schema as JsonSchema, root)
  throw problem("invalid-body", at("", "wrong-form", `must be the element <${name}>`))
}

/** Names are compared without the case of the first letter: the classic description has `Pet` in v2 and `pet` in v3. */
const comparable = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

/** The name of a member's element, to be compared with those of a document. */
const nameOf = (schema: JsonSchema, property: string): string => comparable(elementName(schema, property))

function readElement(schema: JsonSchema, element: XmlElement): unknown {
  const { text, children, isNil } = element
  if (schema.type === "array") return readItems(schema.items ?? {}, element)
  if (isNil) return null
  if (schema.properties) return hasText(element) ? text : readFields(schema, children)
  if (children.length > 0) return {}
  return isTrimmed(schema) ? text.trim() : readScalar(text, schema)
}

/** The items of a list: child elements, or in a list without them its text or the members of one item. */
function readItems(items: JsonSchema, element: XmlElement): unknown[] {
  const members = Object.entries(items.properties ?? {}).map(([property, of]) => nameOf(of, property))
  const names = new Set(element.children.map(({ name }) => comparable(name)))
  const isItem = members.some((name) => names.has(name)) && !names.has(nameOf(items, ""))
  if (isItem) return [readElement(items, element)]
  const values = element.children.map((child) => readElement(items, child))
  return hasText(element) ? [element.text, ...values] : values
}

const hasText = ({ text }: XmlElement): boolean => text.trim() !== ""

/** Serializers put the text of an element on lines of its own: white space is no part of an address. */
const isTrimmed = ({ format = "" }: JsonSchema): boolean => ["uri-reference", "uri", "email"].includes(format)

function readFields(schema: JsonSchema, children: XmlElement[]): Record<string, unknown> {
  const { properties = {} } = schema
  const elementsByName = Map.groupBy(children, ({ name }) => comparable(name))
  const value: Record<string, unknown> = {}
  for (const [property, of] of Object.entries(properties)) {
    const elements = elementsByName.get(nameOf(of, property))
    if (!elements) continue
    const values = elements.map((element) => readElement(of, element))
    // A repeated single value becomes a list, which the schema refuses.
    value[property] = values.length === 1 ? values[0] : of.type === "array" ? values.flat() : values
  }
  if (!isClosed(schema)) return value
  const known = new Set(Object.entries(properties).map(([property, of]) => nameOf(of, property)))
  const unknown = children.map(({ name }) => name).filter((name) => !known.has(comparable(name)))
  return { ...value, ...Object.fromEntries(unknown.map((name) => [name, null])) }
}
