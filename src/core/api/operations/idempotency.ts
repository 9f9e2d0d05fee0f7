import { hash } from "node:crypto"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { joinTransaction } from "../../domain/join-transaction.ts"
import type { StoredResponse } from "../../domain/ports/idempotency.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import type { Json } from "../../kernel/json/json.ts"
import { Problem, problem } from "../../kernel/problem.ts"

const keyLengthMax = 255

/** A request that may be sent again, and the account that owns its key; `operation` and `parameters` are those of its URL, however it is spelled. */
export type Repeatable = {
  request: Head
  operation: string
  parameters: object
  body: Buffer
  accountId: number
  status: number
}
type Head = Pick<IncomingMessage, "method" | "url" | "headers">

/** Runs an operation, or returns the stored response to the same request. */
export type RunIdempotently = (
  repeatable: Repeatable,
  perform: (store: Store) => Promise<JsonResponse<unknown>>,
) => Promise<JsonResponse<unknown>>

/**
 * Makes a repeated request harmless (draft-ietf-httpapi-idempotency-key-header). The response is stored in the transaction of the
 * change it reports, so that one never exists without the other. A refused request changes nothing and is not stored.
 */
export function createIdempotency(store: Store, clock: Clock, keptMs: number): RunIdempotently {
  const running = new Set<string>()

  return async (repeatable, perform) => {
    const { request, accountId, status } = repeatable
    const key = keyOf(request.headers)
    if (key === undefined) return await perform(store)

    const slot = `${accountId} ${key}`
    if (running.has(slot)) throw inUse()
    running.add(slot)
    try {
      return await store.transaction(async (tx) => {
        const now = clock.now()
        if (!(await tx.idempotency.claim(accountId, key, now - keptMs))) {
          const kept = await tx.idempotency.read(accountId, key, now - keptMs)
          if (kept === undefined) throw inUse()
          return replay(kept, repeatable)
        }

        const response = await perform(joinTransaction(tx))
        const { etag, json } = response
        const fingerprint = fingerprintOf(repeatable)
        await tx.idempotency.keep(accountId, key, { fingerprint, status, etag, json }, now)
        return response
      })
    } finally {
      running.delete(slot)
    }
  }
}

function replay(kept: StoredResponse, repeatable: Repeatable): JsonResponse<unknown> {
  if (![fingerprintOf(repeatable), formerFingerprintOf(repeatable)].includes(kept.fingerprint))
    throw new Problem("idempotency-key-reused", "This Idempotency-Key was used for a different request")
  return new JsonResponse(kept.json as Json<unknown>, { etag: kept.etag, isReplayed: true })
}

const inUse = () =>
  new Problem("idempotency-key-in-use", "A request with this Idempotency-Key is still running", { retryAfter: 1 })

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"]
  if (key === undefined) return undefined
  if (typeof key === "string" && key !== "" && key.length <= keyLengthMax) return key
  const detail = `must have 1 to ${keyLengthMax} characters`
  throw problem("invalid-parameter", [{ parameter: "Idempotency-Key", code: "wrong-form", detail }])
}

const fingerprintOf = ({ operation, parameters, body }: Repeatable): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${operation} ${JSON.stringify(parameters)}\n`), body]))

/** As version 0.2.0 stored it, for repeats of requests from before an upgrade. */
const formerFingerprintOf = ({ request: { method, url }, body }: Repeatable): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${method} ${url}\n`), body]))
