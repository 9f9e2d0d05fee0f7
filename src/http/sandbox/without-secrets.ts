import { urlencodedType } from "../../kernel/network/media-types.ts"

/** Names of headers, parameters and fields whose values are credentials. */
const secretName = /auth(orization)?$|cookie|token|secret|password|api[-_]?key$/i
/** A text that may contain such a field; names can be escaped in JSON. */
const secretWord = /token|secret|password|\\u00/i
const hidden = "***"

/** Replaces credentials in what is recorded of a request. Bodies that cannot be searched for them field by field are left out. */
export const withoutSecrets = {
  /** The header that identified the caller has the id of the credential. */
  inHeaders(headers: ReadonlyMap<string, string>, credential: string | undefined): Record<string, string> {
    const identifying = headers.get("authorization")?.trim() ? "authorization" : "api_key"
    const show = ([name, value]: [string, string]) =>
      secretName.test(name) ? [name, (name === identifying && credential) || hidden] : [name, value]
    return Object.fromEntries([...headers].map(show))
  },

  inQuery(query: string): string {
    const parameters = new URLSearchParams(query)
    const secret = [...parameters.keys()].filter((name) => secretName.test(name))
    for (const name of secret) parameters.set(name, hidden)
    return secret.length === 0 ? query : String(parameters)
  },

  inBody(text: string, type: string, isTruncated: boolean): string {
    // A text alone is the token of a login.
    if (/^\s*"/.test(text)) return `"${hidden}"`
    if (type.startsWith(urlencodedType) && !isTruncated) return withoutSecrets.inQuery(text)
    if (!secretWord.test(text)) return text
    return isTruncated ? hidden : inJson(text)
  },
}

/** Written again even if it has no such field, because only the last of several with one name is seen. */
function inJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, member) =>
      secretName.test(name) && member !== null && typeof member !== "boolean" ? hidden : member,
    )
  } catch {
    return hidden
  }
}
