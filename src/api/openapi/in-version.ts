import type { OpenapiDocument } from "./document.ts"
import { asVersion30 } from "./version-30.ts"
import { asVersion32 } from "./version-32.ts"

/** A document of 3.1 in this version of OpenAPI. One for 3.0 must be without webhooks. */
export function inVersion(version: string, document: OpenapiDocument, publicUrl: string): object {
  if (version === "3.0") return asVersion30(document)
  return version === "3.2" ? asVersion32(document, publicUrl) : document
}
