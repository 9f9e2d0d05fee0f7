import assert from "node:assert/strict"
import { test } from "node:test"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { endpointCommand } from "./endpoint-command.ts"

const endpoint: Endpoint = {
  method: "POST",
  path: "/things/{thingId}",
  summary: "Change a thing",
  tag: "things",
  command: "things change",
  scope: "open",
  params: Type.Object({ thingId: Type.Enum(["a", "b"], { description: "The thing" }) }),
  response: Type.Object({}),
  status: 200,
  problems: [],
}

test("a command has the arguments of the path, and the flags of what the endpoint takes and lists", () => {
  const describe = (changed: Partial<Endpoint>) => {
    const { name, summary, arguments: taken, flags } = endpointCommand("changeThing", { ...endpoint, ...changed })
    return { name, summary, taken, flags: flags.map((flag) => flag.name) }
  }
  const plain = {
    name: "things change",
    summary: "Change a thing",
    taken: [{ name: "thing-id", meaning: "The thing", choices: ["a", "b"] }],
    flags: [],
  }
  const listOf = (...names: string[]) =>
    Type.Array(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))))
  assert.deepEqual(describe({}), plain)
  assert.deepEqual(describe({ response: listOf("name") }).flags, ["columns", "csv"])
  assert.deepEqual(describe({ response: listOf("name", "size"), paged: true }).flags, [
    "limit",
    "cursor",
    "all",
    "columns",
    "csv",
  ])
  assert.deepEqual(describe({ response: Type.Array(Type.String()) }).flags, [])
  const body = Type.Object({ name: Type.String() })
  assert.deepEqual(describe({ body, idempotent: "by-key" }).flags, ["name", "idempotency-key", "body"])
})
