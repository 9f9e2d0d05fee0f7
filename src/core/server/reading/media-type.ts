import { isAscii } from "node:buffer"
import type { IncomingHttpHeaders } from "node:http"
import { jsonType, urlencodedType, xmlType } from "../../kernel/network/media-types.ts"
import { Problem } from "../../kernel/problem.ts"

/** `Content-Type` without its parameters, in lower case, an alias by its registered name; empty when there is none. */
export const mediaTypeOf = (header = ""): string => canonicalType((header.split(";", 1)[0] as string).trim())

/** The name of a media type as endpoints have it: `text/xml` is an alias (RFC 7303 section 9.2), and clients use `text/json` as one. */
export function canonicalType(name: string): string {
  const type = name.toLowerCase()
  return type === "text/xml" || type === "text/json" ? type.replace("text/", "application/") : type
}

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
  if (type === urlencodedType && consumes.includes(type)) requireForm(bytes, consumes)
  if (consumes.includes(type) && isReadable()) return type
  const wanted = `Send Content-Type: ${consumes.join(" or ")}, in UTF-8`
  throw new Problem(
    "unsupported-media-type",
    header ? `This operation does not accept ${header}. ${wanted}.` : `${wanted}.`,
  )
}

/** Throws the 415 for JSON or XML that a client calls a form: curl does unless it is given a type. */
function requireForm(bytes: Buffer, consumes: readonly string[]): void {
  const start = bytes.toString("utf8", 0, startBytes).trimStart().charAt(0)
  const [type, name] = start === "<" ? [xmlType, "XML"] : [jsonType, "JSON"]
  if (!["{", "[", "<"].includes(start)) return
  const remedy = consumes.includes(type)
    ? `Send Content-Type: ${type}`
    : "This operation accepts a form: send its fields, such as name=value"
  throw new Problem(
    "unsupported-media-type",
    `The body looks like ${name}, and its Content-Type says that it is a form. ${remedy}.`,
  )
}

const startBytes = 64

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
