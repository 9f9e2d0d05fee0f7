import { parseJson } from "../../../core/kernel/json/parse-json.ts"
import { urlencodedType } from "../../../core/kernel/network/media-types.ts"
import { mediaTypeOf } from "../../../core/server/reading/media-type.ts"
import { hideInJson } from "./json-secrets.ts"
import { decodePercent, hasEncodedSecret, hidden, hideInText, isSecretName, mayNameSecret } from "./secret-forms.ts"

/**
 * Replaces credentials in what is recorded of a request: by their names, and by the forms of those that the service issues. What
 * has none stays as it was sent. Bodies that cannot be searched for names field by field are left out. The time grows with the
 * length of a text alone.
 */
export const withoutSecrets = {
  /** The header that identified the caller has the id of the credential. */
  inHeaders(
    headers: ReadonlyMap<string, string>,
    identifying?: { header: string; id: string },
  ): Record<string, string> {
    const show = ([name, value]: [string, string]) => {
      if (!isSecretName(name)) return [name, hideInText(value)]
      return [name, name === identifying?.header ? identifying.id : hidden]
    }
    return Object.fromEntries([...headers].map(show))
  },

  inPath: hideInUrl,
  inQuery: (query: string): string => query.split("&").map(hideParameter).join("&"),

  /** The body of an operation that takes a secret: one whose fields cannot be read by name is left out. */
  inSecretBody(text: string, type: string, isTruncated: boolean): string {
    const isForm = mediaTypeOf(type) === urlencodedType && text.split("&").every((pair) => pair.includes("="))
    return !isTruncated && (isForm || isJsonOfMembers(text)) ? this.inBody(text, type, isTruncated) : hidden
  },

  inBody(text: string, type: string, isTruncated: boolean): string {
    // Text in UTF-16, which is refused.
    if (text.includes("\0")) return hidden
    if (isTruncated) return hideOrDrop(text).replace(cutSecret, hidden)
    if (isJson(text)) return hideInJson(text)
    return mediaTypeOf(type) === urlencodedType ? text.split("&").map(hidePair).join("&") : hideOrDrop(text)
  },
}

/** A secret at the end of a text that was cut off. */
const cutSecret = /(?<![A-Za-z0-9])(?:p[so][sk]_|whsec_)[\w+/=-]*$/

/** Replaces the whole value of a secret parameter, whose name may be encoded. */
function hideParameter(pair: string): string {
  const [name] = pair.split("=", 1) as [string]
  const isSecret = pair.length > name.length + 1 && isSecretName(decodePercent(name))
  return isSecret ? `${name}=${hidden}` : hideInUrl(pair)
}

/** What has no name, such as JSON under the type of a form, may be anything. */
const hidePair = (pair: string): string => (pair.includes("=") ? hideParameter(pair) : hideOrDrop(pair))

function hideInUrl(text: string): string {
  const shown = hideInText(text)
  // Where something was hidden, it may have been decoded.
  return shown === text ? text : shown.replace(/[^!-~]+/gu, encodeURIComponent)
}

const hideOrDrop = (text: string): string => (mayNameSecret(text) || hasEncodedSecret(text) ? hidden : hideInText(text))

/** Whether a text is a JSON object, or a list of objects. */
const isJsonOfMembers = (text: string): boolean => isJson(text) && /^\s*(\{|\[\s*(\{|\]))/.test(text)

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}
