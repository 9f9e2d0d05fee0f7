// Decision: docs/decisions/sandbox.md#a-sandbox-file-has-rows-not-a-database

import type { Step, WaitForClient } from "../../../core/api/operations/steps.ts"
import { bodyBytesMaxOf } from "../../../core/kernel/endpoint/endpoint.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { discardBody, emptyBody, limited, receivedBytes, tooLarge } from "../../../core/server/reading/body.ts"
import { requireMediaType } from "../../../core/server/reading/media-type.ts"
import { hasBody } from "../../../core/server/reading/request-head.ts"
import { sandboxFileBytesMax } from "../files/contract.ts"
import type { RestoredFile, VisibleSandboxes } from "../model.ts"

const files = new WeakMap<object, RestoredFile>()

/** What the sandbox file in the body of a request was restored to, by the query of that request; undefined when there was none. */
export const fileOf = (query: object): RestoredFile | undefined => files.get(query)

/** Restores a sandbox file while it arrives, because it can be larger than what fits into memory. The operation receives the rest. */
export const fileReceived =
  (visible: VisibleSandboxes | undefined, wait: WaitForClient): Step =>
  (next, operation) => {
    const { restore } = visible ?? {}
    if (!restore || operation.name !== "createSandbox") return next
    const restBytesMax = bodyBytesMaxOf(operation.endpoint)
    return async (exchange) => {
      const { request } = exchange
      if (!hasBody(request)) return next(exchange)
      requireMediaType(request.headers, [jsonType], emptyBody)
      const beginning: Buffer[] = []
      const body = limited(noting(receivedBytes(request), beginning), sandboxFileBytesMax)
      try {
        if (Number(request.headers["content-length"]) > sandboxFileBytesMax) throw tooLarge(sandboxFileBytesMax)
        await using restored = new AsyncDisposableStack()
        const receiving = whole(body, restore(body, restBytesMax)).then((received) => restored.use(received))
        const received = await wait(receiving, exchange, operation)
        const query = { ...exchange.parameters.query }
        if (received.file) files.set(query, received.file)
        exchange.parameters = { ...exchange.parameters, query }
        exchange.received = received.rest
        return await next(exchange)
      } finally {
        exchange.received = Buffer.concat(beginning)
        discardBody(request)
      }
    }
  }

/** A client reads the response once it has sent everything, so a body that is refused is read to its end too. */
async function whole<T>(body: AsyncIterable<Buffer>, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    for await (const _ of body);
    throw error
  }
}

/** More of a body is not recorded. */
const beginningBytes = 16 * 1024

async function* noting(body: AsyncIterable<Buffer>, beginning: Buffer[]): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    if (bytes <= beginningBytes) beginning.push(chunk)
    bytes += chunk.length
    yield chunk
  }
}
