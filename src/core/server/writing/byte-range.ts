import type { IncomingHttpHeaders } from "node:http"

/**
 * The requested part of an entity of `bytes` bytes (RFC 9110 section 14): undefined for the whole, also when the header
 * is malformed, has several ranges or names another entity tag; "none" when the range is beyond the end.
 */
export function rangeOf(
  headers: IncomingHttpHeaders,
  bytes: number,
  etag: string,
): { start: number; end: number } | "none" | undefined {
  const ifRange = headers["if-range"]
  const match = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(headers.range?.replaceAll(/[ \t]/g, "") ?? "")
  if (!match || (ifRange !== undefined && ifRange !== etag)) return undefined

  const [, first, last, suffix] = match
  if (suffix !== undefined)
    return Number(suffix) === 0 ? "none" : { start: Math.max(0, bytes - Number(suffix)), end: bytes - 1 }
  const start = Number(first)
  const end = last ? Math.min(Number(last), bytes - 1) : bytes - 1
  if (last && Number(last) < start) return undefined
  return start < bytes ? { start, end } : "none"
}
