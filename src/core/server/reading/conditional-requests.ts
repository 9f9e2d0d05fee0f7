import type { IncomingHttpHeaders } from "node:http"
import { type EntityTags, failedPrecondition, type Preconditions } from "../../kernel/network/preconditions.ts"
import { inParameter, Problem, problem } from "../../kernel/problem.ts"

/** An entity tag (RFC 9110 section 8.8.3). */
const entityTag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/** The entity tag of the same state in XML: a strong tag identifies the bytes of one representation. */
export const xmlTagOf = (tag: string): string => `${tag.slice(0, -1)}.xml"`

const jsonTagOf = (tag: string): string => tag.replace(/\.xml"$/, '"')

/** The conditions of a change, with each tag as that of the JSON representation. Throws the 400 for a malformed header. */
export const preconditionsOf = (headers: IncomingHttpHeaders): Preconditions => ({
  ifMatch: inJson(tagsIn(headers, "If-Match")),
  ifNoneMatch: inJson(tagsIn(headers, "If-None-Match")),
})

const inJson = (tags: EntityTags | undefined): EntityTags | undefined => (tags === "*" ? tags : tags?.map(jsonTagOf))

/**
 * Whether a read responds 304 instead of the representation with this tag, which is undefined where the resource has none. Throws the
 * 412 of `If-Match`, which either representation of the state matches, and the 400 for a malformed header.
 */
export function isUnchanged(headers: IncomingHttpHeaders, etag: string | undefined): boolean {
  const { "if-match": match, "if-none-match": noneMatch } = headers
  if (match !== undefined) {
    const failed = failedPrecondition({ ifMatch: inJson(tagsIn(headers, "If-Match")) }, etag && jsonTagOf(etag))
    if (failed !== undefined) throw new Problem("precondition-failed", failed)
  }
  if (noneMatch === undefined) return false
  // Most clients send the one tag that they have, which needs no pattern.
  return noneMatch === etag || failedPrecondition({ ifNoneMatch: tagsIn(headers, "If-None-Match") }, etag) !== undefined
}

function tagsIn(headers: IncomingHttpHeaders, name: "If-Match" | "If-None-Match"): EntityTags | undefined {
  const header = headers[name === "If-Match" ? "if-match" : "if-none-match"]
  if (header === undefined) return undefined
  if (header.trim() === "*") return "*"
  const tags = header.match(entityTag) ?? []
  if (tags.length > 0 && /^[\s,]*$/.test(header.replaceAll(entityTag, ""))) return tags
  throw problem(
    "invalid-parameter",
    inParameter(name, "wrong-form", 'must be * or ETags with their quotes, such as "a"'),
  )
}
