import { isJson, type Placeholder, parsePattern } from "./parse.ts"

/** The values of names, by name. */
export type Values = Map<string, unknown>
/** Expected and actual value, which are deeply equal if the actual one matches. */
export type Pair = [expected: unknown, actual: unknown]

const absent = Symbol("absent")

/** Compares a body with the expected one: all of it if `isExact`, otherwise the members that the expected one has, or a part of the text. */
export function matchBody(expected: string, actual: string, isExact: boolean, values: Values): Pair {
  if (isJson(expected)) {
    const value = jsonOf(actual)
    return value === undefined ? [expected, actual] : match(parsePattern(expected), value, isExact, values)
  }
  return matchText(expected, actual, isExact, values)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function match(expected: unknown, actual: unknown, isExact: boolean, values: Values): Pair {
  if (typeof expected === "string")
    return typeof actual === "string" ? matchText(expected, actual, true, values) : [expected, actual]
  if (isPlaceholder(expected)) return matchPlaceholder(expected["{{}}"], actual, values)
  if (Array.isArray(expected) && Array.isArray(actual)) return matchList(expected, actual, isExact, values)
  if (!isObject(expected) || !isObject(actual)) return [expected, actual]
  const wanted: Record<string, unknown> = {}
  const got: Record<string, unknown> = isExact ? { ...actual } : {}
  for (const [name, pattern] of Object.entries(expected)) {
    const value = Object.hasOwn(actual, name) ? actual[name] : absent
    const [one, other] = match(pattern, value, isExact, values)
    if (one !== absent) wanted[name] = one
    if (other !== absent) got[name] = other
  }
  return [wanted, got]
}

/** `{{...}}` at the end of a list stands for any further items. */
function matchList(expected: unknown[], actual: unknown[], isExact: boolean, values: Values): Pair {
  const last = expected.at(-1)
  const isOpen = isPlaceholder(last) && last["{{}}"] === "..."
  const items = isOpen ? expected.slice(0, -1) : expected
  const pairs = items.map((item, n) => match(item, n < actual.length ? actual[n] : absent, isExact, values))
  const more = isOpen ? [] : actual.slice(items.length)
  return [pairs.map(([one]) => one), [...pairs.flatMap(([, other]) => (other === absent ? [] : [other])), ...more]]
}

function matchPlaceholder(inner: string, actual: unknown, values: Values): Pair {
  if (inner === "absent") return [absent, actual]
  if (actual === absent) return [`{{${inner}}}`, absent]
  if (inner === "*") return [actual, actual]
  if (inner.startsWith("/") || repeat(inner) !== undefined)
    return matchText(`{{${inner}}}`, String(actual), true, values)
  if (!values.has(inner)) values.set(inner, actual)
  return [values.get(inner), actual]
}

/** Compares a text whose placeholders stand for any text, or for what they name. */
export function matchText(expected: string, actual: string, isExact: boolean, values: Values): Pair {
  const names: string[] = []
  const parts = expected.split(/\{\{(.+?)\}\}/s)
  const source = parts.map((part, n) => {
    if (n % 2 === 0) return RegExp.escape(part)
    if (part === "*") return "(?:.*?)"
    if (part === "absent" || part === "...") return RegExp.escape(`{{${part}}}`)
    if (part.startsWith("/")) return `(?:${part.slice(1, -1)})`
    const repeated = repeat(part)
    if (repeated !== undefined) return RegExp.escape(repeated)
    if (values.has(part)) return RegExp.escape(textOf(values.get(part)))
    names.push(part)
    return "(.+?)"
  })
  const pattern = new RegExp(isExact ? `^${source.join("")}$` : source.join(""), "su")
  const found = pattern.exec(actual)
  if (!found) return [expected, actual]
  for (const [n, name] of names.entries()) values.set(name, found[n + 1])
  return [actual, actual]
}

/** `x*3` is `xxx`. */
function repeat(inner: string): string | undefined {
  const [, text, count] = /^(.+)\*(\d+)$/s.exec(inner) ?? []
  return text?.repeat(Number(count))
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** The text with the values of its placeholders. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{\{(.+?)\}\}/g, (_, inner: string) => repeat(inner) ?? textOf(values.get(inner)))

/** The bytes of a body, in which `{{bytes ff}}` stands for a byte. */
export const fillBytes = (text: string, values: Values): Uint8Array =>
  Buffer.concat(
    text
      .split(/\{\{bytes ([\da-f ]+)\}\}/)
      .map((part, n) => (n % 2 === 0 ? Buffer.from(fill(part, values)) : Buffer.from(part.replaceAll(" ", ""), "hex"))),
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isPlaceholder = (value: unknown): value is Placeholder => isObject(value) && Object.hasOwn(value, "{{}}")
