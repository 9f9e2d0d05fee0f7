// Decision: docs/decisions/oauth.md#a-document-is-read-once-a-minute

import type { Clock } from "../../../core/kernel/clock.ts"
import { slots } from "../../../core/kernel/flow/slots.ts"
import { networkOf } from "../../../core/kernel/network/ip-address.ts"
import { Problem } from "../../../core/kernel/problem.ts"

/** Requests for documents at once: of one network, and in all. Each ends after 2.5 s. */
const atOnceMax = { perKey: 4, total: 16 }
const keptMs = 60_000
const keptMax = 500
/** One more byte than oidc-provider accepts, so that it refuses what was cut. */
const bytesKept = 5 * 1024 + 1

/** Reads the document at a URL on behalf of a client address: `request` is made unless its response, or failure, is less than a minute old. */
export type ReadDocument = (url: string, address: string, request: () => Promise<Response>) => Promise<Response>

/** Creates what reads documents for all authorization servers of a process. Rejects with the 429 when too many are requested at once. */
export function createDocumentReader(clock: Clock): ReadDocument {
  const kept = new Map<string, { until: number; response: Promise<KeptResponse> }>()
  const underWay = slots<string>(atOnceMax)

  return async (url, address, request) => {
    const before = kept.get(url)
    if (before && before.until > clock.now()) return responseOf(await before.response)
    const release = underWay.take(networkOf(address) ?? address)
    if (typeof release === "string")
      throw new Problem("too-many-requests", "Too many documents of clients are being read", { retryAfter: 3 })
    const response = readResponse(request).finally(release)
    keep(url, response)
    return responseOf(await response)
  }

  function keep(url: string, response: Promise<KeptResponse>): void {
    kept.delete(url)
    kept.set(url, { until: clock.now() + keptMs, response })
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  }
}

type KeptResponse = { status: number; headers: [string, string][]; body: Buffer }

async function readResponse(request: () => Promise<Response>): Promise<KeptResponse> {
  const response = await request()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytesKept) break
  }
  const headers = ["cache-control", "expires"].flatMap((name): [string, string][] => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status: response.status, headers, body: Buffer.concat(chunks).subarray(0, bytesKept) }
}

const responseOf = ({ status, headers, body }: KeptResponse): Response =>
  new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers })
