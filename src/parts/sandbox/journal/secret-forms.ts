export const hidden = "***"

/** Names of headers, parameters and fields whose values are credentials. */
export const isSecretName = (name: string): boolean =>
  /auth(orization)?\W*$|cookie|token|secret|passw(or)?d|code_verifier|assertion|api[-_]?key\W*$/i.test(name)

/** Replaces in a text what has the form of a credential, and the values of secret parameters of the URLs in it, also when encoded. */
export function hideInText(text: string): string {
  if (!mayShowSecret.test(text)) return text
  const shown = hidePlain(text)
  const decoded = decodePercent(shown)
  if (decoded === shown) return shown
  const decodedShown = hidePlain(decoded)
  return decodedShown === decoded ? shown : decodedShown
}

/** Whether a text that is not read field by field may have a secret field, in any encoding that a reader of bodies accepts. */
export const mayNameSecret = (text: string): boolean => readings(text).some((reading) => secretWord.test(reading))

/** Whether one of the encodings of a text shows a credential that `hideInText` does not find. */
export const hasEncodedSecret = (text: string): boolean =>
  readings(text).some((reading) => reading !== text && hidePlain(reading) !== reading)

const hidePlain = (text: string): string =>
  text
    .replace(formOfSecret, hidden)
    .replace(userInfo, `//${hidden}@`)
    .replace(parameter, (whole: string, mark: string, name: string) =>
      isSecretName(decodePercent(name)) || (mark !== ";" && name === "code") ? `${mark}${name}=${hidden}` : whole,
    )

/** What every credential, URL with parameters or user, and encoding has: most texts have none of these. */
const mayShowSecret = /[=@%]|[\w+/.-]{18}/

const secretWord = /token|secret|passw(or)?d|api[-_]?key/i

/**
 * API keys, session tokens and client secrets; secrets of webhooks; JSON Web Tokens; and what the authorization server issues
 * (codes, access and refresh tokens), which has no prefix but is the only text of 43 such characters.
 */
const formOfSecret =
  /(?<![A-Za-z0-9])(?:p[so][sk]_|whsec_)[\w+/=-]{32,}|(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*|(?<![\w+-])[\w-]{43}(?![\w+=-])/g

/** The user and password of a URL; bounded, so that the time grows with the length of the text alone. */
const userInfo = /\/\/[^\s/?#@"'<>]{1,256}@/g
/** A parameter in a URL, a path or a fragment. */
const parameter = /([?&#;/])([^=&#;/?\s"'<>]{1,64})=(?!\*\*\*)[^&#;\s"'<>]+/g

export const decodePercent = (text: string): string =>
  text.includes("%") ? text.replace(/(?:%[0-9a-f]{2})+/gi, decodeRun) : text

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

/** A text, and what readers of forms, JSON and XML make of its escapes. */
const readings = (text: string): string[] => [
  text,
  ...(text.includes("%") ? [decodePercent(text.replaceAll("+", " "))] : []),
  ...(text.includes("\\u") ? [text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => characterAt(hex, 16))] : []),
  ...(text.includes("&#")
    ? [text.replace(/&#(x?)0*([0-9a-f]{1,7});/gi, (_, x: string, digits: string) => characterAt(digits, x ? 16 : 10))]
    : []),
]

function characterAt(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ""
}
