import type { TSchema } from "typebox"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { fromJson, type Json } from "../../kernel/json/json.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The name of an element: the schema's annotation, or the property's name. */
export const elementName = (schema: JsonSchema | undefined, property: string): string => schema?.xml?.name ?? property

/** Writes a value as an XML document with the element names of its schema. */
export const writeXml = (schema: TSchema, value: unknown): string =>
  declaration + writeElement(elementName(schema as JsonSchema, "value"), schema as JsonSchema, value)

/** The document of a list, the last value in it, and whether more follow. */
type XmlList<T> = { xml: string; last: T | undefined; isCut: boolean }

/**
 * Writes a JSON list as a document, a long one in turns of the event loop. It stops before the value that would exceed
 * `bytesMax`, but holds at least one unless the list is empty.
 */
export async function writeXmlList<T>(schema: TSchema, list: Json<T[]>, bytesMax: number): Promise<XmlList<T>> {
  const turn = createYielder()
  await turn.start()
  const values = fromJson(list)
  const { items = {} } = schema as JsonSchema
  const name = elementName(schema as JsonSchema, "values")
  const [start, end] = [`${declaration}<${name}>`, `</${name}>`]
  let [xml, count, bytes] = [start, 0, start.length + end.length]
  for (const value of values) {
    const element = writeElement(elementName(items, name), items, value)
    bytes += Buffer.byteLength(element)
    if (bytes > bytesMax && count > 0) break
    xml += element
    count++
    if (turn.isOver()) await turn.next()
  }
  return { xml: xml + end, last: values[count - 1], isCut: count < values.length }
}

function writeElement(name: string, { properties, items }: JsonSchema, value: unknown): string {
  if (Array.isArray(value)) {
    const itemName = elementName(items, name)
    return `<${name}>${value.map((item) => writeElement(itemName, items ?? {}, item)).join("")}</${name}>`
  }
  return `<${name}>${properties ? writeFields(properties, value as Record<string, unknown>) : escapeText(String(value))}</${name}>`
}

function writeFields(properties: Record<string, JsonSchema>, value: Record<string, unknown>): string {
  let fields = ""
  for (const property in properties) {
    const of = properties[property] as JsonSchema
    if (value[property] !== undefined) fields += writeElement(elementName(of, property), of, value[property])
  }
  return fields
}

/** A problem document in the XML form of RFC 9457, appendix B. */
export const writeProblemXml = (problem: object): string =>
  `${declaration}<problem xmlns="urn:ietf:rfc:7807">${writeMembers(problem)}</problem>`

const writeMembers = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `<${name}>${writeMember(value)}</${name}>`)
    .join("")

function writeMember(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<i>${writeMember(item)}</i>`).join("")
  return typeof value === "object" && value !== null ? writeMembers(value) : escapeText(String(value))
}

const special = /[&<>\r]|[^\t\n\r -\ufffd\u{10000}-\u{10ffff}]/gu
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" }

/** Characters that XML 1.0 cannot hold, not even escaped, become U+FFFD. */
const escapeText = (text: string): string => text.replace(special, (character) => escapes[character] ?? "\ufffd")
