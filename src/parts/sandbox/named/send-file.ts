// Decision: docs/decisions/sandbox.md#a-sandbox-file-has-rows-not-a-database

import { Readable } from "node:stream"
import type { Step } from "../../../core/api/operations/steps.ts"
import type { Json } from "../../../core/kernel/json/json.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { isInner } from "../../../core/server/inner-requests.ts"
import { isUnchanged } from "../../../core/server/reading/conditional-requests.ts"
import type { SandboxData, SandboxStream } from "../files/contract.ts"
import type { VisibleSandboxes } from "../model.ts"

/** Sends a sandbox file while it is written, because it can be larger than what fits into memory. A tool receives a whole text. */
export const fileSent =
  (visible: VisibleSandboxes | undefined): Step =>
  (next, { name: operation }) => {
    if (!visible || operation !== "exportSandbox") return next
    return async (exchange) => {
      const { method, request, params } = exchange
      const { name = "" } = params
      if (isInner(request) || !visible.list().some((one) => one.name === name)) return next(exchange)
      const headers = ["cache-control", "no-store"]
      if (isUnchanged(request.headers, undefined)) return { status: 304, headers, body: undefined }
      const file = method === "HEAD" ? Readable.from([]) : await visible.save(name)
      if (!file) return next(exchange)
      return { status: 200, headers: [...headers, "content-type", jsonType], body: file, isPaced: true }
    }
  }

/** A whole text is in memory. */
const wholeTextBytesMax = 16 * 1024 * 1024

/** The text of a file; undefined when it is larger than a text in memory may be. */
export async function wholeText(file: SandboxStream): Promise<Json<{ data: SandboxData }> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > wholeTextBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString() as Json<{ data: SandboxData }>
}
