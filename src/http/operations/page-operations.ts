import type { Caller } from "../../domain/accounts/model.ts"
import type { Operation } from "../../domain/context.ts"
import type { Endpoint, Input } from "../../kernel/endpoint.ts"
import type { JsonResponse } from "../../kernel/json/json-response.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import type { Admission, Readmit } from "../pipeline/admission.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { LoadShedding } from "../rate-limiting/load-shedding.ts"
import { inputReader } from "../reading/read-input.ts"
import { operationRunner, type Running } from "./run-operation.ts"

type PageOperationParts = Running & {
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  load: LoadShedding
  readmit: Readmit
  admitKnown: Admission["admitKnown"]
}

type Given = { params?: Record<string, string>; query?: string; body?: unknown; key?: string; caller?: Caller }

/**
 * Runs an operation for a page: what it is given is checked as a request's is, and with a `key` or a `caller` it is their
 * request, which no plan counts. It throws the operation's problems.
 */
export type Operate = (exchange: Exchange, name: PageOperation, given: Given) => Promise<JsonResponse<unknown>>
type PageOperation = "listPets" | "getPetById" | "placeOrder" | "getOrderById" | "endConsent"

export function pageOperations({
  api,
  operations,
  load,
  readmit,
  admitKnown,
  ...running
}: PageOperationParts): Operate {
  const readers = new Map<string, ReturnType<typeof inputReader>>()

  function readerOf(name: string): ReturnType<typeof inputReader> {
    const reader = readers.get(name) ?? inputReader(api[name] as Endpoint)
    readers.set(name, reader)
    return reader
  }

  async function readInput(name: string, { params = {}, query = "", body }: Given): Promise<Input<Endpoint>> {
    const { readParameters, readBody } = readerOf(name)
    const value = body && (await readBody(Buffer.from(JSON.stringify(body)), { "content-type": jsonType }))
    return { ...readParameters({ params, query }), body: value, upload: undefined } as unknown as Input<Endpoint>
  }

  return async (exchange, name, given) => {
    const endpoint = api[name] as Endpoint
    const { address, request } = exchange
    if (given.key !== undefined) {
      const credentialed = { address, request: { headers: { api_key: given.key }, socket: request.socket } }
      exchange.caller = (await readmit(credentialed, endpoint)).caller
    }
    if (given.caller !== undefined) {
      exchange.caller = given.caller
      await admitKnown(exchange, endpoint)
    }
    const input = await readInput(name, given)
    load.begin()
    try {
      return await operationRunner(endpoint, operations[name] as Operation<Endpoint>, running)(
        exchange,
        running.ports.store,
        input,
      )
    } finally {
      load.end()
    }
  }
}
