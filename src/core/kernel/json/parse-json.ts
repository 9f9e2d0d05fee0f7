// Decision: docs/decisions/http.md#a-json-check-of-our-own-comes-before-jsonparse

/**
 * Parses JSON (RFC 8259) without loss. A number that would be rounded to an integer (9007199254740990.7, 1e-400) becomes
 * Infinity, which every numeric schema refuses. Throws SyntaxError for broken text, half a surrogate pair and deep nesting.
 */
export const parseJson = (text: string): unknown => JSON.parse(withExactNumbers(text))

/** Maximum nesting of arrays and objects. */
export const depthMax = 32

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, minus] = [code('"'), code("\\"), code("-")]
const [openBracket, openBrace, closeBracket, closeBrace] = [code("["), code("{"), code("]"), code("}")]
const isDigit = (at: number) => at >= 48 && at <= 57

/** Replaces inexact numbers in one pass before anything is built, so that the cost of a body grows with its length alone. */
function withExactNumbers(text: string): string {
  let exact = ""
  let copied = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (character === openBracket || character === openBrace) {
      if (++depth > depthMax) throw new SyntaxError(`nested deeper than ${depthMax} levels`)
    } else if (character === closeBracket || character === closeBrace) depth--
    else if (character === minus || isDigit(character)) {
      const digitsEnd = endOfDigits(text, at + 1)
      const end = endOfNumber(text, digitsEnd)
      if (end > digitsEnd && isInexact(text.slice(at, end))) {
        exact += `${text.slice(copied, at)}1e999`
        copied = end
      }
      at = end - 1
    }
  }
  return exact + text.slice(copied)
}

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

const [point, smallE, largeE] = [code("."), code("e"), code("E")]
const numeric = /[-+.\deE]*/y

/** Returns the end of a number from the end of its integer part; the same index without fraction and exponent. */
function endOfNumber(text: string, digitsEnd: number): number {
  const next = text.charCodeAt(digitsEnd)
  if (next !== point && next !== smallE && next !== largeE) return digitsEnd
  numeric.lastIndex = digitsEnd
  numeric.test(text)
  return numeric.lastIndex
}

const jsonNumber = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Whether a number would be rounded to an integer: it has a nonzero digit behind the point once the exponent is applied. */
function isInexact(token: string): boolean {
  if (!Number.isInteger(Number(token))) return false
  const [, whole = "", fraction = "", exponent = "0"] = jsonNumber.exec(token) ?? []
  const behind = fraction.length - Number(exponent)
  return behind > 0 && /[1-9]/.test((whole + fraction).slice(-behind))
}

/** The index of the closing quotation mark; the length of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) return at
    if (character !== backslash) continue
    at++
    if (surrogate.test(text.slice(at, at + 3))) at = endOfSurrogatePair(text, at)
  }
  return text.length
}

const surrogate = /^u[dD][89a-fA-F]/
const pair = /u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y

function endOfSurrogatePair(text: string, start: number): number {
  pair.lastIndex = start
  if (!pair.test(text)) throw new SyntaxError("a string holds half of a surrogate pair")
  return pair.lastIndex - 1
}
