import { hidden, hideInText, isSecretName } from "./secret-forms.ts"

/** Replaces the secrets in valid JSON text where they stand; everything else stays as it was sent, such as digits and white space. */
export function hideInJson(text: string): string {
  let shown = ""
  let copied = 0
  /** The name of the member whose value comes next; undefined outside of objects. */
  let name: string | undefined
  let lastString = ""
  /** The depth inside the value of a secret member, and where that starts. */
  let depth = 0
  let start = 0

  function replace(from: number, to: number, by: string): void {
    shown += text.slice(copied, from) + by
    copied = to
  }

  for (const { 0: token, index } of text.matchAll(tokens)) {
    const end = index + token.length
    const isOpening = token === "{" || token === "["
    if (depth > 0) {
      if (isOpening) depth++
      else if ((token === "}" || token === "]") && --depth === 0) replace(start, end, `"${hidden}"`)
      continue
    }
    if (token === ":") {
      name = unquote(lastString)
      continue
    }
    const isSecret = name !== undefined && isSecretName(name)
    name = undefined
    if (isOpening) {
      if (isSecret) [depth, start] = [1, index]
    } else if (token.startsWith('"')) {
      lastString = token
      const value = unquote(token)
      const safe = isSecret ? hidden : hideInText(value)
      if (safe !== value) replace(index, end, JSON.stringify(safe))
    } else if (isSecret && !/^(true|false|null)$/.test(token)) replace(index, end, `"${hidden}"`)
  }
  return shown + text.slice(copied)
}

/** Strings, brackets, colons, and other values. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|[^\s"{}[\],:]+/gs

const unquote = (token: string): string => (token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1))
