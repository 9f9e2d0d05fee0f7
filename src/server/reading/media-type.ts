import { isAscii } from "node:buffer"
import type { IncomingHttpHeaders } from "node:http"
import { urlencodedType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"

/** `Content-Type` without its parameters, in lower case; empty when there is none. */
export const mediaTypeOf = (header = ""): string => (header.split(";", 1)[0] as string).trim().toLowerCase()

/**
 * The media type of a body; throws the 415 unless it is one of `consumes`, in UTF-8 and not compressed. A body may name another charset,
 * as RestAssured always does, if its text is ASCII, which is the same in all of them. JSON has no such parameter (RFC 8259 section 11).
 */
export function requireMediaType(headers: IncomingHttpHeaders, consumes: readonly string[], bytes: Buffer): string {
  const { "content-type": header, "content-encoding": encoding = "identity" } = headers
  if (encoding.toLowerCase() !== "identity")
    throw new Problem(
      "unsupported-media-type",
      `Content-Encoding: ${encoding} is not supported. Send the body uncompressed.`,
    )
  const type = mediaTypeOf(header)
  const isReadable = () => isJson(type) || isInUtf8(header as string) || isAsciiText(type, bytes)
  if (consumes.includes(type) && isReadable()) return type
  const wanted = `Send Content-Type: ${consumes.join(" or ")}, in UTF-8`
  throw new Problem(
    "unsupported-media-type",
    header ? `This operation does not accept ${header}. ${wanted}.` : `${wanted}.`,
  )
}

const isJson = (type: string): boolean => /[/+-](nd)?json$/.test(type)

/** Whether the text is ASCII; in a form, percent-encoded bytes included. */
const isAsciiText = (type: string, bytes: Buffer): boolean =>
  isAscii(bytes) && !(type === urlencodedType && /%[89a-f]/i.test(bytes.toString("latin1")))

/** Whether a `Content-Type` names no charset but UTF-8. */
function isInUtf8(header: string): boolean {
  const parameters = header.toLowerCase().split(";").slice(1)
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset)
}
