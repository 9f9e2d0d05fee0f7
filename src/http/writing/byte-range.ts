import type { IncomingHttpHeaders } from "node:http"

/**
 * The part of `bytes` bytes a request asks for (RFC 9110 section 14): undefined for all of them, also when the header is
 * broken, asks for several ranges or belongs to another entity; "none" when there is nothing at that place.
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
