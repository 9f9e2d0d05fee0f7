import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../../src/core/domain/api.ts"
import { type Endpoint, takesJson } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../../src/core/kernel/network/path.ts"
import { exampleOf } from "../harness/operations.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

type Schema = { properties?: Record<string, Schema>; required?: string[]; items?: Schema; type?: string }

/** The value with null in every optional field of the schema, at every depth. */
function withNulls({ properties, required = [], items }: Schema, value: unknown): unknown {
  if (items && Array.isArray(value)) return value.map((item) => withNulls(items, item))
  if (!properties) return value
  const given = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, required.includes(name) ? withNulls(of, given[name]) : null]),
  )
}

describe("null in every optional field of a body is no violation:", () => {
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    const { method, path, params, body } = endpoint
    if (method === "PATCH" || !body || !takesJson(endpoint)) continue
    test(name, async () => {
      const parameters = Object.keys(params?.properties ?? {}).map((parameter) => [parameter, "1"])
      const response = await fetch(petstore.url + basePath + filledPath(path, Object.fromEntries(parameters)), {
        method,
        headers: { api_key: "special-key", "content-type": "application/json" },
        body: JSON.stringify(withNulls(body as Schema, exampleOf(body))),
      })
      const text = await response.text()
      assert.ok(response.status !== 422 && response.status < 500, `${response.status} ${text}`)
    })
  }
})
