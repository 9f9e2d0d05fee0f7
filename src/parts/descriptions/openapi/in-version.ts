import type { OpenapiDocument } from "./document.ts"
import { asVersion30 } from "./version-30.ts"
import { asVersion32 } from "./version-32.ts"

/** A document of 3.1 in this version of OpenAPI. One for 3.0 must be without webhooks. */
export function inVersion(version: string, document: OpenapiDocument, publicUrl: string): object {
  if (version === "3.0") return withoutUnused(asVersion30(document))
  return version === "3.2" ? asVersion32(document, publicUrl) : document
}

/** Without schemas that nothing refers to: 3.0 cannot say what is in the messages of a stream. */
function withoutUnused<Document extends Pick<OpenapiDocument, "components">>(document: Document): Document {
  const { schemas = {} } = document.components as { schemas?: Record<string, object> }
  const text = JSON.stringify(document)
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`))
  if (used.length === Object.keys(schemas).length) return document
  return withoutUnused({ ...document, components: { ...document.components, schemas: Object.fromEntries(used) } })
}
