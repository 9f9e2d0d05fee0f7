import type { IncomingMessage } from "node:http"
import type { TObject } from "typebox"
import type { Clock } from "../../kernel/clock.ts"
import type { Received, UploadShape } from "../../kernel/endpoint/endpoint.ts"
import { slots } from "../../kernel/flow/slots.ts"
import type { Stage } from "../../kernel/flow/stage.ts"
import { multipartType } from "../../kernel/network/media-types.ts"
import { at, Problem, problem } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { closeSchema } from "../../kernel/schema/close-schema.ts"
import type { Exchange, IncomingUpload } from "../exchange/exchange.ts"
import { discardBody, limited, receivedBytes, tooLarge } from "./body.ts"
import { mediaTypeOf } from "./media-type.ts"
import { formOverheadMax, receiveForm } from "./multipart.ts"
import { isStrict } from "./strict-handling.ts"

/** Concurrent uploads of each account, and of all accounts. */
const receivingMax = { perKey: 16, total: 256 }
const tooMany = { one: "Too many uploads of this account at once", all: "Too many uploads at once" }

/** Makes a directory for a file that arrives at this time (ms). */
type Staging = { stage(at: number): Promise<Stage> }

type Uploads = {
  receive: UploadReceiver
  underWay(): number
}

export type UploadReceiver = (by: Pick<Exchange, "request" | "caller">, shape: UploadShape) => IncomingUpload

/** Receives uploads, a bounded number of each account at a time. */
export function createUploads(blobs: Staging, clock: Clock): Uploads {
  const receiving = slots<number | undefined>(receivingMax)

  const receiveInSlot: UploadReceiver = ({ request, caller }, shape) => {
    let stage: Stage | undefined
    return {
      async receive() {
        requireFitting(request, shape)
        const leave = receiving.take(caller?.account.id)
        if (typeof leave === "string") throw new Problem("unavailable", tooMany[leave], { retryAfter: 5 })
        try {
          stage = await blobs.stage(clock.now())
          const fields = isStrict(request.headers) ? closeSchema(shape.fields) : shape.fields
          return await receive(request, { ...shape, fields: fields as TObject }, stage)
        } finally {
          leave()
        }
      },
      async [Symbol.asyncDispose]() {
        discardBody(request)
        await stage?.[Symbol.asyncDispose]()
      },
    }
  }

  return { receive: receiveInSlot, underWay: receiving.taken }
}

/** Refuses a file by its headers alone. */
function requireFitting({ headers }: IncomingMessage, { types, bytesMax }: UploadShape): void {
  const type = mediaTypeOf(headers["content-type"])
  const family = type.replace(/\/.*/, "/*")
  if (![...types, multipartType].some((taken) => taken === type || taken === family))
    throw new Problem("unsupported-media-type", `Send Content-Type: ${[...types, multipartType].join(" or ")}`)
  const overhead = type === multipartType ? formOverheadMax : 0
  if (Number(headers["content-length"]) > bytesMax + overhead) throw tooLarge(bytesMax)
}

async function receive(request: IncomingMessage, shape: UploadShape, stage: Stage): Promise<Received<object>> {
  const isForm = mediaTypeOf(request.headers["content-type"]) === multipartType
  const { file, fields } = isForm ? await receiveForm(request, shape, stage) : await receiveBare(request, shape, stage)
  const violations = checkOf(shape.fields)(fields)
  if (violations.length > 0) throw problem("invalid-body", violations)
  return { directory: stage.path, file, fields }
}

async function receiveBare(request: IncomingMessage, { bytesMax }: UploadShape, stage: Stage) {
  const count = { bytes: 0 }
  const file = await stage.write("upload", limited(receivedBytes(request), bytesMax, count))
  if (count.bytes > 0) return { file, fields: {} }
  throw new Problem("invalid-body", "The body is empty", { violations: at("", "blank", "must not be empty") })
}
