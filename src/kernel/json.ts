declare const holds: unique symbol

/** JSON text known to hold a `T`: stored answers travel to the client without being parsed and serialised again. */
export type Json<T> = string & { readonly [holds]: T }

export const json = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** The JSON array of already serialised items. */
export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(",")}]` as Json<T[]>

/**
 * Parses JSON (RFC 8259) into exactly what it says. A number whose text is not the integer it would be read as (such
 * as 9007199254740990.7 or 1e-400) becomes NaN, which every numeric schema refuses. Throws SyntaxError for everything
 * else that cannot be kept: broken text, half a surrogate pair, nesting that exhausts the stack.
 */
export function parseJson(text: string): unknown {
  try {
    return needsCare.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError("nested too deeply") : error
  }
}

/** Text that may hold a number with a fraction or an exponent, or an escaped surrogate. */
const needsCare = /(?:^|[[,:\s])-?\d+[.eE]|\\u[dD][89a-fA-F]/

function exactly(key: string, value: unknown, context?: { source?: string }): unknown {
  if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed()))
    throw new SyntaxError("a string holds half of a surrogate pair")
  if (typeof value !== "number" || context?.source === undefined || !Number.isInteger(value)) return value
  return isIntegerText(context.source) ? value : Number.NaN
}

function isIntegerText(source: string): boolean {
  const [mantissa = "", exponent = "0"] = source.toLowerCase().split("e")
  const [, fraction = ""] = mantissa.split(".")
  const significant = fraction.replace(/0+$/, "").length
  if (Number(exponent) >= significant) return true
  const digits = mantissa.replace(/[-.]/g, "")
  const shift = fraction.length - Number(exponent)
  return /^0*$/.test(shift > digits.length ? digits : digits.slice(digits.length - shift))
}
