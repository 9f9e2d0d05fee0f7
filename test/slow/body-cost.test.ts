import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../../src/domain/api.ts"
import { inputReader } from "../../src/http/messages/read-input.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../src/kernel/endpoint.ts"
import { Problem } from "../../src/kernel/problem.ts"

/** The longest a body may keep the event loop from everything else, in processor time: others use this machine too. */
const holdMaxMs = 20
const runs = 10
/** Refused for these, a body was not judged at all. */
const wrongReasons = ["invalid-parameter", "unsupported-media-type"]

/** Bodies of about `size` characters that cost a parser or a validator the most it can be made to spend. */
function* hostileBodies(size: number, schema: Schema): Generator<{ what: string; text: string }> {
  const filled = (item: string, around = 0) =>
    Array(Math.floor((size - around) / (item.length + 1)))
      .fill(item)
      .join()
  yield { what: "open brackets", text: "[".repeat(size) }
  yield { what: "nested arrays", text: "[".repeat(size / 2) + "]".repeat(size / 2) }
  yield { what: "nested objects", text: '{"a":'.repeat(size / 6) }
  for (const item of ["1.5", "1e1", "1e-400", "0.1e1", "1", "{}", "[]", '""', '"\\ud83d\\udc15"', "null"])
    yield { what: `an array of ${item}`, text: `[${filled(item, 2)}]` }
  yield { what: "many keys", text: `{${Array.from({ length: size / 12 }, (_, n) => `"${n.toString(36)}":1`).join()}}` }
  yield { what: "one long number", text: `${"1".repeat(size - 2)}.5` }
  yield { what: "zeros behind the point", text: `1.${"0".repeat(size - 4)}1e5` }
  yield { what: "a long exponent", text: `1e${"9".repeat(size - 2)}` }
  for (const {
    pointer,
    wrap,
    schema: { type },
  } of places(schema)) {
    const around = wrap("").length
    const types = [type].flat()
    if (types.includes("array"))
      for (const item of ["1", "{}", '""'])
        yield { what: `${pointer} of ${item}`, text: wrap(`[${filled(item, around + 2)}]`) }
    if (types.includes("string"))
      for (const unit of [
        "a",
        " ",
        "/",
        "%",
        "%41",
        "a@",
        "a.",
        "://",
        "http://",
        ":",
        "[",
        "?",
        "#",
        "é",
        "+00:00",
        "-",
        "1",
      ])
        yield {
          what: `${pointer} of ${unit}`,
          text: wrap(JSON.stringify(unit.repeat(Math.floor((size - around) / Buffer.byteLength(unit))))),
        }
  }
}

type Schema = { type?: string | string[]; properties?: Record<string, Schema>; items?: Schema }
type Place = { pointer: string; wrap: (value: string) => string; schema: Schema }

/** Every field of a schema, and how a value gets there. */
function* places(schema: Schema, pointer = "", wrap = (value: string) => value): Generator<Place> {
  yield { pointer, wrap, schema }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* places(property, `${pointer}/${name}`, (value) => wrap(`{${JSON.stringify(name)}:${value}}`))
  if (schema.items) yield* places(schema.items, `${pointer}/0`, (value) => wrap(`[${value}]`))
}

for (const [name, endpoint] of Object.entries(api as Record<string, Endpoint>)) {
  if (!endpoint.body) continue
  const { params: _params, query: _query, ...bare } = endpoint
  const { readBody: judge } = inputReader(bare)
  const consumed = endpoint.consumes?.[0] ?? "application/json"
  const readBody = (body: Buffer) => {
    const start = process.threadCpuUsage()
    try {
      judge(body, { "content-type": consumed })
    } catch (error) {
      assert.ok(error instanceof Problem && !wrongReasons.includes(error.code), String(error))
    }
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  }

  describe(`no body of ${name} holds the event loop over ${holdMaxMs} ms`, () => {
    const size = bodyBytesMaxOf(endpoint)
    test(`the ${size / 1024} KiB it reads, filled with what costs most`, () => {
      for (const { what, text } of hostileBodies(size, endpoint.body as Schema)) {
        const body = Buffer.from(text)
        assert.ok(body.length <= size + 16, what)
        const shortest = shortestOf(() => readBody(body))
        assert.ok(shortest < holdMaxMs, `${what}: ${shortest.toFixed(1)} ms`)
      }
    })
  })
}

/** The shortest of several runs; no more of them than it takes to be within the bound. */
function shortestOf(run: () => number): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < runs && shortest >= holdMaxMs; n++) shortest = Math.min(shortest, run())
  return shortest
}
