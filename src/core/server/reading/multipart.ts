import type { IncomingMessage } from "node:http"
import { pipeline } from "node:stream/promises"
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy"
import type { UploadShape } from "../../kernel/endpoint/endpoint.ts"
import type { Stage } from "../../kernel/flow/stage.ts"
import { Problem, problem, type Violation } from "../../kernel/problem.ts"
import { isClosed } from "../../kernel/schema/close-schema.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import { limited, receivedBytes } from "./body.ts"
import { composeForm } from "./form-value.ts"
import { addField, type NestedFields } from "./nested-names.ts"

/** The space for boundaries, part headers and fields beside the file, in bytes. */
export const formOverheadMax = 64 * 1024
const limits = { parts: 20, headerPairs: 20, headerSize: 8 * 1024, fieldSize: 8 * 1024 }

/** Reads multipart/form-data (RFC 7578) with one part `file`. Parts that the shape does not know are ignored, or left for its schema to refuse. */
export async function receiveForm(request: IncomingMessage, { fields: known, bytesMax }: UploadShape, stage: Stage) {
  const form = parserOf(request)
  const fields: NestedFields = new Map()
  const count = { bytes: 0 }
  const files: Promise<string>[] = []
  const stop = new AbortController()
  let current: BusboyFileStream | undefined

  form.on("file", (name, stream) => {
    current = stream
    // No field is a file, so the schema refuses it under any name.
    if (name !== "file" && isClosed(known as JsonSchema)) addField(fields, `${name}[file]`, "")
    if (name !== "file" || files.push(Promise.resolve("")) > 1) return void stream.resume().on("error", () => undefined)
    const writing = stage.write("upload", limited(readPart(stream), bytesMax, count))
    writing.catch((error) => stop.abort(error))
    files[0] = writing
  })
  form.on("field", (name, value) => {
    addField(fields, name, value)
  })

  try {
    await pipeline(limited(receivedBytes(request), bytesMax + formOverheadMax), form, { signal: stop.signal })
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : toMalformed(error)
    current?.destroy(reason)
    await Promise.allSettled(files)
    throw reason
  }
  const [file] = await Promise.all(files)
  const violations = wrongFiles(files.length, count.bytes)
  if (violations.length > 0) throw problem("invalid-body", violations)
  return { file: file as string, fields: composeForm(known, fields) }
}

/** The bytes of a part. A body that ends inside it is malformed, as it is between parts. */
async function* readPart(stream: BusboyFileStream): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch (error) {
    throw toMalformed(error)
  }
}

function parserOf({ headers }: IncomingMessage) {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits,
      isPartAFile: (name, _, file) => name === "file" || !!file,
    })
  } catch (error) {
    throw toMalformed(error)
  }
}

/** The 400 for an error of the parser; a problem of the body as a whole is passed on. */
const toMalformed = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem("malformed-request", `The body is not valid multipart/form-data: ${(error as Error).message}`)

function wrongFiles(count: number, bytes: number): Violation[] {
  const wrong = (code: string, detail: string) => [{ pointer: "/file", code, detail }]
  if (count === 0) return wrong("required", "is required: a part named file")
  if (count > 1) return wrong("too-many", "must appear once")
  return bytes === 0 ? wrong("blank", "must not be empty") : []
}
