import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import { Type } from "../../kernel/schema/type.ts"
import { strictHandling } from "./strict-handling.ts"

const query = Type.Object({ status: Type.Optional(Type.String()), tags: Type.Optional(Type.Array(Type.String())) })
const endpoint = { ...plainEndpoint, query }
const lenient = strictHandling(endpoint)
const known = strictHandling({ ...endpoint, knownQuery: true })

/** The headers that handling adds to the response. */
function handle(handling: typeof lenient, query: string, prefer?: string) {
  const exchange = exchangeOf(`/?${query}`, { headers: { ...(prefer && { prefer }) } })
  handling(exchange)
  return exchange.headers
}

const applied = ["preference-applied", "handling=strict"]

test("an unknown parameter is refused for a strict request, or where the operation says so", () => {
  assert.deepEqual(handle(lenient, "stauts=sold&a=1"), [])
  assert.deepEqual(handle(lenient, "a=1", "handling=lenient"), [])
  assert.deepEqual(handle(known, "status=sold&tags[0]=a&tags.1=b"), [])
  assert.deepEqual(handle(lenient, "status=sold&tags[]=a", "handling=strict"), applied)
  assert.deepEqual(handle(lenient, "", "handling=strict"), applied)
  for (const handling of [
    () => handle(lenient, "status=a&stauts=sold&xyz[0]=1", "handling=strict"),
    () => handle(known, "stauts=sold&xyz[0]=1"),
  ])
    assert.throws(handling, {
      code: "invalid-parameter",
      violations: [
        { parameter: "stauts", code: "unknown", detail: "is not a parameter of this operation; did you mean status?" },
        { parameter: "xyz[0]", code: "unknown", detail: "is not a parameter of this operation" },
      ],
    })
})

test("at most twenty unknown parameters are named", () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `n${n}`)
  const violationsOf = (count: number) => {
    try {
      return handle(known, names.slice(0, count).join("&"))
    } catch (error) {
      return (error as { violations: readonly unknown[] }).violations
    }
  }
  assert.deepEqual(
    [19, 20, 21, 2_000].map((count) => violationsOf(count).length),
    [19, 20, 20, 20],
  )
})
