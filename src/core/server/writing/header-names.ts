import { memoize } from "../../kernel/flow/memoize.ts"

const irregular: Readonly<Record<string, string>> = {
  etag: "ETag",
  ratelimit: "RateLimit",
  "ratelimit-policy": "RateLimit-Policy",
  "www-authenticate": "WWW-Authenticate",
}

/** A header name in its usual capitalisation, because some clients compare names exactly, contrary to RFC 9110 section 5.1. */
export const usualName = memoize(
  (name: string) => irregular[name] ?? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  { entriesMax: 200, lengthMax: 64 },
)
