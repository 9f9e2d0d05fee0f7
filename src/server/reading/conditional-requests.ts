import { Problem } from "../../kernel/problem.ts"

/** Entity tags and the headers that compare them (RFC 9110 section 13.1). */
const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** The entity tag of the same state in XML: a strong tag identifies the bytes of one representation. */
export const xmlTagOf = (tag: string): string => `${tag.slice(0, -1)}.xml"`

const jsonTagOf = (tag: string): string => tag.replace(/\.xml"$/, '"')

/** The strong tags of `If-Match`, each as the tag of the JSON representation. Weak tags never match. */
export function ifMatch(header: string | undefined): string[] | "*" | undefined {
  if (header === undefined) return undefined
  if (header.trim() === "*") return "*"
  return [...header.matchAll(entityTag)].flatMap(([, weak, tag]) => (weak ? [] : [jsonTagOf(tag as string)]))
}

/** Whether `If-Match` is absent, or lists this entity tag in either representation. */
export function isMatched(header: string | undefined, etag: string): boolean {
  const tags = ifMatch(header)
  return tags === undefined || tags === "*" || tags.includes(jsonTagOf(etag))
}

/** The 412 of a read (RFC 9110 section 13.1.1). */
export const notMatched = (etag: string): Problem =>
  new Problem("precondition-failed", `Its ETag is ${etag}, which If-Match does not list`)

/** Whether `If-None-Match` lists this entity tag. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  // Most clients send the one tag that they have, which needs no pattern.
  if (header === etag) return true
  return header.trim() === "*" || [...header.matchAll(entityTag)].some(([, , tag]) => tag === etag)
}
