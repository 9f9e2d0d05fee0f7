import type { TSchema } from "typebox"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { fromJson, type Json } from "../../kernel/json/json.ts"
import { KeptText, type TextList } from "../../kernel/json/kept-text.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The name of an element: the schema's annotation, or the property's name. */
export const elementName = (schema: JsonSchema | undefined, property: string): string => schema?.xml?.name ?? property

/** Writes a value as an XML document with the element names of its schema. */
export const writeXml = (schema: TSchema, value: unknown): string =>
  declaration + writerOf(elementName(schema as JsonSchema, "value"), schema as JsonSchema)(value)

/** The document of a list, and the last value in it if more follow. */
type XmlList<T> = { xml: string; last: T | undefined }

/**
 * Writes a JSON list as a document, a long one in turns of the event loop. It stops before the value that would exceed
 * `bytesMax`, but holds at least one unless the list is empty.
 */
export async function writeXmlList<T>(schema: TSchema, list: TextList<T[]>, bytesMax: number): Promise<XmlList<T>> {
  const turn = createYielder()
  await turn.start()
  const { items = {} } = schema as JsonSchema
  const name = elementName(schema as JsonSchema, "values")
  const [start, end] = [`${declaration}<${name}>`, `</${name}>`]
  const values = list.texts ?? fromJson(list.json)
  const write = elementWriter(items, writerOf(elementName(items, name), items))
  let [xml, count, bytes] = [start, 0, start.length + end.length]
  for (const value of values) {
    const element = write(value)
    bytes += element.bytes
    if (bytes > bytesMax && count > 0) break
    xml += element.text
    count++
    if (turn.isOver()) await turn.next()
  }
  const last = count < values.length ? values[count - 1] : undefined
  return { xml: xml + end, last: last instanceof KeptText ? fromJson(last.text as Json<T>) : last }
}

/** Writes the element of a value, or of a text, beside which it is kept. */
function elementWriter(schema: JsonSchema, write: WriteElement): (value: unknown) => { text: string; bytes: number } {
  return (value) => {
    if (value instanceof KeptText) return value.find(schema) ?? value.keep(schema, write(JSON.parse(value.text)))
    const text = write(value)
    return { text, bytes: Buffer.byteLength(text) }
  }
}

type WriteElement = (value: unknown) => string

const writers = new WeakMap<JsonSchema, Map<string, WriteElement>>()

function writerOf(name: string, schema: JsonSchema): WriteElement {
  const known = writers.get(schema) ?? new Map<string, WriteElement>()
  writers.set(schema, known)
  const writer = known.get(name) ?? elementOf(name, schema)
  known.set(name, writer)
  return writer
}

/** Writes elements of this name, whose fields and items are looked up in their schema once. */
function elementOf(name: string, { properties, items = {} }: JsonSchema): WriteElement {
  const [start, end] = [`<${name}>`, `</${name}>`]
  const fields = Object.entries(properties ?? {}).map(([property, of]) => {
    return [property, elementOf(elementName(of, property), of)] as const
  })
  let writeItem: WriteElement | undefined
  const contentOf = (value: unknown): string => {
    if (Array.isArray(value)) {
      writeItem ??= elementOf(elementName(items, name), items)
      return value.map(writeItem).join("")
    }
    if (properties) return writeFields(fields, value as Record<string, unknown>)
    return typeof value === "string" ? escapeText(value) : String(value)
  }
  return (value) => start + contentOf(value) + end
}

function writeFields(fields: readonly (readonly [string, WriteElement])[], value: Record<string, unknown>): string {
  let written = ""
  for (const [property, write] of fields) if (value[property] !== undefined) written += write(value[property])
  return written
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
/** Most texts, which are found faster than that they have nothing special. */
const plain = /^[ !-%'-;=?-~]*$/
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" }

/** Characters that XML 1.0 cannot hold, not even escaped, become U+FFFD. */
const escapeText = (text: string): string =>
  plain.test(text) ? text : text.replace(special, (character) => escapes[character] ?? "\ufffd")
