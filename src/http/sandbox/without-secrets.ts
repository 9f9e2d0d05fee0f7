import { urlencodedType } from "../../kernel/network/media-types.ts"

/** Names of headers, parameters and fields whose values are credentials. */
const secretName = /auth(orization)?$|cookie|token|secret|password|api[-_]?key$/i
/** A text that may contain such a field; names can be escaped in JSON. */
const secretWord = /token|secret|password|\\u00/i
const hidden = "***"

/** Replaces credentials in what is recorded of a request. Bodies that cannot be searched for them field by field are left out. */
export const withoutSecrets = {
  /** The header that identified the caller has the id of the credential. */
  inHeaders(headers: Record<string, string>, credential: string | undefined): Record<string, string> {
    const identifying = headers.authorization?.trim() ? "authorization" : "api_key"
    const show = ([name, value]: [string, string]) =>
      secretName.test(name) ? [name, (name === identifying && credential) || hidden] : [name, value]
    return Object.fromEntries(Object.entries(headers).map(show))
  },

  inQuery(query: string): string {
    const parameters = new URLSearchParams(query)
    const secret = [...parameters.keys()].filter((name) => secretName.test(name))
    for (const name of secret) parameters.set(name, hidden)
    return secret.length === 0 ? query : String(parameters)
  },

  inBody(text: string, type: string, isTruncated: boolean): string {
    const value = isTruncated ? undefined : parse(text)
    if (value !== undefined) return inValue(text, value)
    if (type.startsWith(urlencodedType) && !isTruncated) return withoutSecrets.inQuery(text)
    return secretWord.test(text) ? hidden : text
  },
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text unchanged if it has no secrets. A response that is a text alone is the token of a login. */
function inValue(text: string, value: unknown): string {
  if (typeof value === "string") return JSON.stringify(hidden)
  let isChanged = false
  const shown = JSON.stringify(value, (name, member) => {
    if (!secretName.test(name) || member === null || typeof member === "boolean") return member
    isChanged = true
    return hidden
  })
  return isChanged ? shown : text
}
