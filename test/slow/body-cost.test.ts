// Runs alone.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { api } from "../../src/core/domain/api.ts"
import { bodyBytesMaxOf, type Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { jsonType, multipartType, urlencodedType, xmlType } from "../../src/core/kernel/network/media-types.ts"
import { Problem } from "../../src/core/kernel/problem.ts"
import { inputReader } from "../../src/core/server/reading/read-input.ts"
import { openSender, slowness, watchLoop } from "../harness/event-loop.ts"
import {
  hostileBoundary,
  hostileForms,
  hostileJson,
  hostileParts,
  hostileXml,
  type Schema,
} from "../harness/hostile-bodies.ts"
import { usePetstore } from "../harness/use.ts"

/** Maximum time a body may block the event loop, as processor time, because other processes use this machine too. */
const holdMaxMs = 20
/** Linux may count the processor time of a thread in ticks of this length. */
const tickMs = 4
/** A machine whose memory is busy is slower than `slowness` says, which parses a text that fits into caches. */
const memoryFactor = 3
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
          await assertShort(what, () => readBody(body, type + parameter))
        }
      })
  })
}

describe(`no message to any path of the router blocks the event loop for more than ${holdMaxMs} ms`, () => {
  const petstore = usePetstore({ env: { PETSTORE_UNLIMITED_ADDRESSES: "127.0.0.0/8" } })

  test("a walk over its table, so that a later part is covered too", async () => {
    const table = await petstore.router.table()
    assert.ok(table.some(({ path }) => path === "/mcp"))
    await using sender = openSender()
    for (const { path, routes } of table)
      for (const method of [...routes.keys()].filter((one) => one !== "GET" && one !== "HEAD"))
        for (const body of path === "/mcp" ? hostileMessages() : hostileOf(64 * 1024)) {
          const url = petstore.url + path.replace(/\{\w+\}/g, "999999").replace("*", "x")
          await assertShort(`${method} ${path} ${body.slice(0, 80)}`, async () => {
            const stopWatch = watchLoop()
            await sender.send({ url, method, headers: { api_key: "special-key", "content-type": jsonType }, body })
            return stopWatch()
          })
        }
  })
})

const manyMembers = (bytes: number) =>
  `{${Array.from({ length: bytes / 12 }, (_, n) => `"${n.toString(36)}":1`).join()}}`
const manyItems = (item: string, bytes: number) =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join()}]`
const hostileOf = (bytes: number) => [manyMembers(bytes), manyItems("{}", bytes), "[".repeat(bytes)]

function* hostileMessages() {
  const message = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const call = (name: string, values: string) => message("tools/call", `{"name":"${name}","arguments":${values}}`)
  yield* hostileOf(64 * 1024)
  for (const values of hostileOf(250 * 1024)) yield call("importPets", values)
  for (const item of ["{}", "1", '"a"', '"["']) yield call("importPets", `{"items":${manyItems(item, 250 * 1024)}}`)
  yield call("addPet", `{"name":"a","photoUrls":[],"tags":${manyItems('"["', 150 * 1024)}}`)
  yield call("listPets", manyMembers(64 * 1024))
  for (const method of ["tools/list", "prompts/get", "x"]) yield message(method, manyMembers(64 * 1024))
  yield manyItems(message("tools/list", "{}"), 1024)
}

/** Bodies of the types that are not JSON, and the parameters of their `Content-Type`. */
const hostile: Record<string, [(size: number, schema: Schema) => Iterable<{ what: string; text: string }>, string]> = {
  [xmlType]: [hostileXml, ""],
  [urlencodedType]: [hostileForms, ""],
  [multipartType]: [hostileParts, `; boundary=${hostileBoundary}`],
}

/** Fails unless one of several runs holds the loop for less than the limit at that moment. */
async function assertShort(what: string, run: () => Promise<number>): Promise<void> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < runs.total; n++) {
    if (n >= runs.withoutPause) await setTimeout(runs.pauseMs)
    const heldMs = await run()
    if (heldMs < holdMaxMs || heldMs < (memoryFactor * holdMaxMs + tickMs) * slowness()) return
    shortest = Math.min(shortest, heldMs)
  }
  assert.fail(`${what}: ${shortest.toFixed(1)} ms`)
}
