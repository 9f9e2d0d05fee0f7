import type { Operation } from "../../domain/context.ts"
import type { Endpoint, Input } from "../../kernel/endpoint.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { encodeCursor } from "../../kernel/page.ts"
import type { Call, Called } from "../../web/console/call.ts"
import type { Outcome } from "../operations/idempotency.ts"
import type { Operating } from "../operations/operating.ts"
import { operationRunner } from "../operations/run-operation.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { inputReader } from "../reading/read-input.ts"

/** Whoever looks at a page: the request, and the token of their session when they are signed in. */
export type Asker = Pick<Exchange, "request" | "address" | "id" | "caller"> & { token: string | undefined }

type AnyGiven = { params?: object; query?: object; body?: unknown; ifMatch?: string; idempotencyKey?: string }
type CallAs = (asker: Asker, given: AnyGiven) => Promise<Called<unknown>>

/** Runs operations for pages, through the same checks as a request for them: nothing is taken from a page on trust. */
export function callerOf(
  api: Record<string, Endpoint>,
  operations: Record<string, Operation<Endpoint>>,
  operating: Operating,
): (asker: Asker) => Call {
  const calls = Object.entries(api).map(
    ([name, endpoint]) => [name, callOf(endpoint, operations[name] as Operation<Endpoint>, operating)] as const,
  )
  return (asker) =>
    Object.fromEntries(
      calls.map(([name, callAs]) => [name, (given: AnyGiven = {}) => callAs(asker, given)]),
    ) as unknown as Call
}

function callOf(endpoint: Endpoint, operation: Operation<Endpoint>, operating: Operating): CallAs {
  const { store, load, admitKnown, receive, once } = operating
  const { readParameters, readBody } = inputReader(endpoint)
  const run = operationRunner(endpoint, operation, operating)
  const type = endpoint.consumes?.find((each) => /[/+]json$/.test(each)) ?? jsonType
  const headers = { "content-type": type }

  async function perform(asker: Asker, { params = {}, query = {}, body, ifMatch, idempotencyKey }: AnyGiven) {
    const parameters = readParameters({ params: toTexts(params), query: `${toQuery(query)}` })
    const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body))
    const value = await readBody(bytes, headers)
    await using upload = endpoint.upload && receive(asker, endpoint.upload)
    const asking = {
      ...{ address: asker.address, id: asker.id, caller: asker.caller },
      request: {
        headers: {
          ...(asker.token !== undefined && { authorization: `Bearer ${asker.token}` }),
          ...(ifMatch !== undefined && { "if-match": ifMatch }),
        },
      },
    }
    const input = { ...parameters, body: value, upload } as unknown as Input<Endpoint>
    if (idempotencyKey === undefined || !endpoint.idempotent || !asker.caller)
      // Awaited here: what an upload left on the disk goes when this ends.
      return { response: await run(asking, store, input), isReplayed: false }
    const { method, path: url, status } = endpoint
    const exchange = { request: { method, url, headers: { "idempotency-key": idempotencyKey } } }
    const repeatable = { exchange, body: bytes, accountId: asker.caller.ownerId, status }
    return await once(repeatable, async (inside) => run(asking, inside, input))
  }

  return async (asker, given) => {
    await admitKnown(asker, endpoint)
    load.begin()
    try {
      return toCalled(await perform(asker, given))
    } finally {
      load.end()
    }
  }
}

const toTexts = (params: object) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

function toQuery(query: object): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) parameters.append(name, String(item))
  return parameters
}

const toCalled = ({ response: { json, etag, next }, isReplayed }: Outcome): Called<unknown> => ({
  isReplayed,
  value: JSON.parse(json),
  etag,
  next: next === undefined ? undefined : encodeCursor(typeof next === "number" ? { sort: "-id", id: next } : next),
})
