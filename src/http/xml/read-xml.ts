import type { TSchema } from "typebox"
import { at, problem } from "../../kernel/problem.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import { readScalar } from "../reading/scalar.ts"
import { parseXml, type XmlElement } from "./parse-xml.ts"
import { elementName } from "./write-xml.ts"

/** Converts an XML body to the JSON that its schema describes. What does not fit is left for the schema to refuse. */
export async function readXml(bytes: Buffer, schema: TSchema): Promise<unknown> {
  const root = await parseXml(bytes)
  const name = elementName(schema as JsonSchema, "")
  if (root.name === name) return readElement(schema as JsonSchema, root)
  throw problem("invalid-body", at("", "wrong-form", `must be the element <${name}>`))
}

function readElement({ type, properties, items }: JsonSchema, { text, children }: XmlElement): unknown {
  if (type === "array") return children.map((child) => readElement(items ?? {}, child))
  if (properties) return readFields(properties, children)
  if (children.length > 0) return {}
  return type === "integer" || type === "boolean" ? readScalar(text.trim(), type) : text
}

function readFields(properties: Record<string, JsonSchema>, children: XmlElement[]): Record<string, unknown> {
  const given = Map.groupBy(children, ({ name }) => name)
  const value: Record<string, unknown> = {}
  for (const [property, of] of Object.entries(properties)) {
    const elements = given.get(elementName(of, property))
    if (!elements) continue
    const values = elements.map((element) => readElement(of, element))
    // A repeated single value becomes a list, which the schema refuses.
    value[property] = values.length === 1 ? values[0] : of.type === "array" ? values.flat() : values
  }
  return value
}
