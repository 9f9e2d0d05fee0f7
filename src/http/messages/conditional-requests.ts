/** Entity tags and the headers that compare them (RFC 9110 section 13.1). */
const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** The strong tags of `If-Match`, which never matches a weak one. */
export function ifMatch(header: string | undefined): string[] | "*" | undefined {
  if (header === undefined) return undefined
  if (header.trim() === "*") return "*"
  return [...header.matchAll(entityTag)].flatMap(([, weak, tag]) => (weak ? [] : [tag as string]))
}

/** Whether `If-None-Match` says the client has this very representation already. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.trim() === "*" || [...header.matchAll(entityTag)].some(([, , tag]) => tag === etag)
}
