import { parseJson } from "../../kernel/json/parse-json.ts"
import { Problem } from "../../kernel/problem.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The value of a JSON text in a body; throws the 400 when it is malformed. */
export function parseText(bytes: Uint8Array, what = "body"): unknown {
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    // V8 quotes the text around the error, which may be a password.
    const reason = error instanceof SyntaxError ? error.message.replace(/, (\.\.\.)?".*$/s, "") : "it is not UTF-8"
    throw new Problem("malformed-json", `The ${what} is not valid JSON: ${reason}`)
  }
}
