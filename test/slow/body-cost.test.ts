// Runs alone.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { api } from "../../src/domain/api.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../src/kernel/endpoint/endpoint.ts"
import { jsonType, multipartType, urlencodedType, xmlType } from "../../src/kernel/network/media-types.ts"
import { Problem } from "../../src/kernel/problem.ts"
import { inputReader } from "../../src/server/reading/read-input.ts"
import {
  hostileBoundary,
  hostileForms,
  hostileJson,
  hostileParts,
  hostileXml,
  type Schema,
} from "../harness/hostile-bodies.ts"

/** Maximum time a body may block the event loop, as processor time, because other processes use this machine too. */
const holdMaxMs = 20
/** Other processes can slow this processor down for seconds, so each body has several runs, the later ones with pauses. */
const runs = { withoutPause: 10, total: 60, pauseMs: 200 }
/** Refused with these codes, the body was not validated. */
const wrongReasons = ["invalid-parameter", "unsupported-media-type"]

for (const [name, endpoint] of Object.entries(api as Record<string, Endpoint>)) {
  if (!endpoint.body) continue
  const { params: _params, query: _query, ...bare } = endpoint
  const { readBody: read } = inputReader(bare)
  const types = endpoint.consumes ?? [jsonType]
  const readBody = async (body: Buffer, type: string) => {
    const stopWatch = watchLoop()
    try {
      await read(body, { "content-type": type })
    } catch (error) {
      assert.ok(error instanceof Problem && !wrongReasons.includes(error.code), String(error))
    }
    return stopWatch()
  }

  describe(`no body of ${name} blocks the event loop for more than ${holdMaxMs} ms`, () => {
    const size = bodyBytesMaxOf(endpoint)
    for (const type of types)
      test(`${size / 1024} KiB of ${type} with the most expensive content`, async () => {
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

/** Watches the event loop; the returned function stops and returns the longest blockage in milliseconds of processor time. */
function watchLoop(): () => number {
  let longest = 0
  let last = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const next = () => {
    measure()
    scheduled = setImmediate(next)
  }
  let scheduled = setImmediate(next)
  return () => {
    clearImmediate(scheduled)
    measure()
    return longest
  }
}

/** Bodies of the types that are not JSON, and the parameters of their `Content-Type`. */
const hostile: Record<string, [(size: number, schema: Schema) => Iterable<{ what: string; text: string }>, string]> = {
  [xmlType]: [hostileXml, ""],
  [urlencodedType]: [hostileForms, ""],
  [multipartType]: [hostileParts, `; boundary=${hostileBoundary}`],
}

/** The minimum of several runs; stops at the first one within the bound. */
async function shortestOf(run: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < runs.total && shortest >= holdMaxMs; n++) {
    if (n >= runs.withoutPause) await setTimeout(runs.pauseMs)
    shortest = Math.min(shortest, await run())
  }
  return shortest
}
