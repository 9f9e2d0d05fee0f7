// Runs alone.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { api } from "../../src/domain/api.ts"
import { inputReader } from "../../src/http/reading/read-input.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../src/kernel/endpoint.ts"
import { jsonType, multipartType, urlencodedType, xmlType } from "../../src/kernel/network/media-types.ts"
import { Problem } from "../../src/kernel/problem.ts"
import {
  hostileBoundary,
  hostileForms,
  hostileJson,
  hostileParts,
  hostileXml,
  type Schema,
} from "../harness/hostile-bodies.ts"

/** The longest a body may keep the event loop from everything else, in processor time: others use this machine too. */
const holdMaxMs = 20
/** Others slow this processor down, too, for seconds: a body has so many chances, the later ones apart from each other. */
const runs = { atOnce: 10, inAll: 60, apartMs: 200 }
/** Refused for these, a body was not judged at all. */
const wrongReasons = ["invalid-parameter", "unsupported-media-type"]

for (const [name, endpoint] of Object.entries(api as Record<string, Endpoint>)) {
  if (!endpoint.body) continue
  const { params: _params, query: _query, ...bare } = endpoint
  const { readBody: judge } = inputReader(bare)
  const types = endpoint.consumes ?? [jsonType]
  const readBody = async (body: Buffer, type: string) => {
    const held = watchLoop()
    try {
      await judge(body, { "content-type": type })
    } catch (error) {
      assert.ok(error instanceof Problem && !wrongReasons.includes(error.code), String(error))
    }
    return held()
  }

  describe(`no body of ${name} holds the event loop over ${holdMaxMs} ms`, () => {
    const size = bodyBytesMaxOf(endpoint)
    for (const type of types)
      test(`the ${size / 1024} KiB it reads as ${type}, filled with what costs most`, async () => {
        const [bodies, parameter] = hostile[type] ?? [hostileJson, ""]
        for (const { what, text } of bodies(size, endpoint.body as Schema)) {
          const body = Buffer.from(text)
          assert.ok(body.length <= size + 32, what)
          const shortest = await shortestOf(() => readBody(body, type + parameter))
          assert.ok(shortest < holdMaxMs, `${what}: ${shortest.toFixed(1)} ms`)
        }
      })
  })
}

/** Returns what ends the watch and says how long, in processor time, the event loop was kept at most from its next turn. */
function watchLoop(): () => number {
  let longest = 0
  let begun = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(begun)
    longest = Math.max(longest, (user + system) / 1000)
    begun = process.threadCpuUsage()
  }
  const next = () => {
    look()
    turn = setImmediate(next)
  }
  let turn = setImmediate(next)
  return () => {
    clearImmediate(turn)
    look()
    return longest
  }
}

/** Bodies of the types that are not JSON, and what their `Content-Type` says besides. */
const hostile: Record<string, [(size: number, schema: Schema) => Iterable<{ what: string; text: string }>, string]> = {
  [xmlType]: [hostileXml, ""],
  [urlencodedType]: [hostileForms, ""],
  [multipartType]: [hostileParts, `; boundary=${hostileBoundary}`],
}

/** The shortest of several runs; no more of them than it takes to be within the bound. */
async function shortestOf(run: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < runs.inAll && shortest >= holdMaxMs; n++) {
    if (n >= runs.atOnce) await setTimeout(runs.apartMs)
    shortest = Math.min(shortest, await run())
  }
  return shortest
}
