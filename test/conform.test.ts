import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, test } from "node:test"
import { conformChapters } from "../src/examiner/conform/chapters.ts"
import { runConform } from "../src/examiner/conform/run-conform.ts"
import { createSubject } from "../src/examiner/conform/subject.ts"
import { usePetstore } from "./harness/use.ts"

const petstore = usePetstore()
const signal = new AbortController().signal
const keys = { key: "special-key", limitedKey: "free-key" }

for (const { name: chapter, tasks } of conformChapters)
  describe(`conform: ${chapter}`, () => {
    for (const { name, expects, examine } of tasks)
      test(`${name}: ${expects}`, () => examine(createSubject({ url: `${petstore.url}/api/v3`, ...keys })))
  })

describe("each check of conform can fail", () => {
  type Said = { status: number; body: string; headers?: Record<string, string> }

  /** The checks that a service misses which says this to the n-th request with an idempotency key, and to all without. */
  async function missedBy(say: (n: number) => Said): Promise<string[]> {
    const counts = new Map<string, number>()
    const server = createServer((request, response) => {
      const key = String(request.headers["idempotency-key"])
      counts.set(key, (counts.get(key) ?? 0) + 1)
      const { status, body, headers } = say(counts.get(key) as number)
      request.resume()
      request.on("end", () => response.writeHead(status, { "content-type": "application/json", ...headers }).end(body))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`
    try {
      const verdicts = await runConform({ url, ...keys, chapters: conformChapters, signal }, () => undefined)
      return verdicts.filter(({ outcome }) => outcome === "missed").map(({ name }) => name)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test("of services that say one thing to everything, each is missed by one at least (slow)", async () => {
    const headers = {
      "ratelimit-policy": "many",
      ratelimit: '"minute";r=9',
      "content-type": "application/problem+json",
    }
    const missed = await Promise.all([
      missedBy(() => ({ status: 200, body: '{"id":1,"name":"Rex","photoUrls":[],"status":"available"}' })),
      missedBy(() => ({ status: 200, body: '{"id":1,"status":"pending"}', headers: { etag: '"a"' } })),
      missedBy(() => ({ status: 500, body: "java.lang.Exception" })),
      missedBy(() => ({ status: 404, body: '{"status":200}', headers })),
      missedBy((n) => ({ status: 200, body: `{"id":${Math.max(3, n)}}` })),
    ])
    const never = conformChapters
      .flatMap(({ tasks }) => tasks.map(({ name }) => name))
      .filter((name) => !missed.flat().includes(name))
    assert.deepEqual(never, [])
  })
})
