import { isUtf8 } from "node:buffer"
import type { IncomingHttpHeaders } from "node:http"
import { Busboy, type BusboyHeaders } from "@fastify/busboy"
import { Problem } from "../../kernel/problem.ts"
import { addField, isNested, type NestedFields } from "./nested-names.ts"

/** More than the largest list of users has; reading one takes longer than reading a plain field. */
const nestedMax = 2_000

/** Reads application/x-www-form-urlencoded as the URL standard does; throws the 400 when it is not percent-encoded UTF-8. */
export function readUrlencoded(bytes: Buffer): NestedFields {
  requireUtf8(bytes)
  const fields: NestedFields = new Map()
  let nested = 0
  for (const pair of bytes.toString().split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const end = equals === -1 ? pair.length : equals
    const name = decode(pair.slice(0, end))
    if (isNested(name) && ++nested > nestedMax)
      throw malformed(`it has more than ${nestedMax} fields in brackets or dots`)
    addField(fields, name, decode(pair.slice(end + 1)))
  }
  return fields
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    throw malformed("it is not correctly percent-encoded UTF-8")
  }
}

const sliceBytes = 8 * 1024
const limits = { parts: 256, headerPairs: 20, headerSize: 8 * 1024 }

/** Reads multipart/form-data (RFC 7578), every part as text; throws the 400 when it is broken. */
export async function readMultipart(bytes: Buffer, headers: IncomingHttpHeaders): Promise<NestedFields> {
  requireUtf8(bytes)
  const fields: NestedFields = new Map()
  try {
    const fieldLimits = { ...limits, fieldSize: bytes.length }
    const form = new Busboy({ headers: headers as BusboyHeaders, limits: fieldLimits, isPartAFile: () => false })
    await new Promise<void>((resolve, reject) => {
      form.on("field", (name, value) => addField(fields, name, value))
      let isTooMany = false
      form.once("partsLimit", () => {
        isTooMany = true
      })
      form.once("error", reject)
      form.once("finish", resolve)
      // In slices, because the parser continues to read beyond its limit.
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        form.write(bytes.subarray(at, at + sliceBytes))
        if (isTooMany) throw new Error(`it has more than ${limits.parts} parts`)
      }
      form.end()
    })
  } catch (error) {
    throw malformed((error as Error).message)
  }
  return fields
}

function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw malformed("it is not UTF-8")
}

const malformed = (reason: string) => new Problem("malformed-request", `The body is not a valid form: ${reason}`)
