import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { jsonOrXml, jsonType, xmlType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Invocable } from "./invoke.ts"
import { compose, negotiated, pass, type Step, variesByAccept } from "./steps.ts"

const read = { conditional: true, produces: jsonOrXml } as const

/** The exchange of a request to an endpoint after these steps. */
function take(steps: readonly Step[], more: Partial<Endpoint>, headers: Record<string, string> = {}): Exchange {
  const exchange = exchangeOf("/pet", { headers })
  const operation = { endpoint: { ...plainEndpoint, ...more } } as unknown as Invocable
  const response = { status: 200, headers: [], body: "ok" }
  assert.equal(compose(steps, operation, () => response)(exchange), response)
  return exchange
}

test("a response that may be kept and has two formats depends on Accept", () => {
  for (const [endpoint, headers] of [
    [read, ["vary", "accept"]],
    [{ conditional: true, produces: [jsonType] }, []],
    [{ conditional: true }, []],
    [{ produces: jsonOrXml }, []],
    [{ ...read, method: "POST" }, []],
  ] as const)
    assert.deepEqual(take([variesByAccept], endpoint).headers, headers, JSON.stringify(endpoint))
})

test("a response is in XML where the client prefers it and the operation writes it", () => {
  for (const [endpoint, accept, isXml] of [
    [read, undefined, false],
    [read, jsonType, false],
    [read, xmlType, true],
    [read, `${xmlType}, ${jsonType};q=0.5`, true],
    [{}, undefined, false],
    [{}, `${xmlType}, ${jsonType};q=0.5`, false],
  ] as const)
    assert.equal(take([pass, negotiated], endpoint, accept === undefined ? {} : { accept }).isXml, isXml, `${accept}`)
  assert.throws(() => take([negotiated], {}, { accept: xmlType }), { code: "not-acceptable" })
})
