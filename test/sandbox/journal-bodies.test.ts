import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { readEventStream } from "../../src/client/receiving/event-stream.ts"
import { problemsOf } from "../../src/core/api/problems/problem-responses.ts"
import { api } from "../../src/core/domain/api.ts"
import { bodyBytesMaxOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { earlyBreakages, lateBreakages } from "../../src/parts/sandbox/faults/contract.ts"
import type { RecordedRequest } from "../../src/parts/sandbox/journal/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { connectTools, withKey } from "../harness/mcp.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { type AskOptions, asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

describe("the journal has what was received, also of each refused request", {
  skip: serverUrl && "named sandboxes need SQLite",
}, () => {
  const petstore = usePetstore()
  let count = 0
  function newSandbox() {
    const sandbox = createSandboxClient({ url: petstore.url, name: `bodies-${++count}` })
    return { sandbox, ask: asker(sandbox) }
  }
  const rex = '{"name":"Rex","photoUrls":[]}'
  const post = (headers: Record<string, string> = {}): AskOptions => ({ method: "POST", body: rex, headers })
  const failed = () => undefined

  test("each fault of a response and of a connection, below /api/v3 and /v2, asked for or by a rule (slow)", async () => {
    const { sandbox, ask } = newSandbox()
    const faults = [
      ...[...earlyBreakages, ...lateBreakages].filter((one) => one !== "slow").map((breakage) => `fault=${breakage}`),
      ...problemsOf(api.addPet).map((code) => `code=${code}`),
      "wait=0.01, code=503",
      "fault=lose, code=409",
    ]
    for (const fault of faults)
      for (const base of ["/api/v3", "/v2"]) {
        await sandbox.deleteRequests()
        await ask(`${base}/pet`, post({ prefer: fault }))
          .then((response) => response.text(), failed)
          .catch(failed)
        await sandbox.setFaults({ body: { rules: [{ match: { operation: "addPet" }, fault }] } })
        await ask(`${base}/pet`, post())
          .then((response) => response.text(), failed)
          .catch(failed)
        await sandbox.deleteFaults()
        const isDropped = /fault=(drop|reset)/.test(fault)
        assert.deepEqual(
          (await sandbox.requests({ operation: "addPet" })).map(({ request, status }) => [
            request.body,
            request.bodyNotRead,
            status === undefined,
          ]),
          [1, 2].map(() => [rex, undefined, isDropped]),
          `${fault} ${base}`,
        )
      }
    assert.equal(await sandbox.verify({ match: { operation: "addPet", text: "Rex" }, exactly: 2 }), 2)
  })

  test("each refusal: credential, scope, limit, type, size, method, path, precondition, form", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1")
    for (let n = 0; n < 60; n++) await ask("/api/v3/pet/1", { headers: { api_key: "free-key" } })
    const large = JSON.stringify({ name: "x".repeat(20_000), photoUrls: ["y".repeat(600_000)] })
    const small = "x".repeat(bodyBytesMaxOf(api.addPet) + 1)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const cases: [number, string, AskOptions, string?][] = [
      [401, "/api/v3/pet", post({ api_key: "unknown" })],
      [401, "/api/v3/pet", post({ api_key: "" })],
      [401, "/v2/pet", post({ api_key: "unknown" })],
      [429, "/api/v3/pet", post({ api_key: "free-key" })],
      [429, "/v2/pet", post({ api_key: "free-key" })],
      [403, "/api/v3/webhooks", post({ api_key: "pro-key" })],
      [415, "/api/v3/pet", post({ "content-type": "text/plain" })],
      [415, "/api/v3/pet/1", { ...post(), method: "DELETE" }],
      [406, "/api/v3/pet", post({ accept: "text/html" })],
      [400, "/api/v3/pet", { method: "POST", body: "{broken" }, "{broken"],
      [413, "/api/v3/pet", { method: "POST", body: large }, large.slice(0, 16 * 1024)],
      [
        413,
        "/api/v3/pet",
        { method: "POST", body: new Blob([small]).stream(), duplex: "half" } as AskOptions,
        small.slice(0, 16 * 1024),
      ],
      [404, "/api/v3/pets/unknown/path", post()],
      [405, "/api/v3/pet/1", { ...post(), method: "PUT" }],
      [422, "/api/v3/pet?name=x", { method: "POST", body: "{}" }, "{}"],
      [400, "/oauth/token", post()],
      [400, "/oauth/token", { method: "POST", body: "grant_type=none", headers: form }, "grant_type=none"],
    ]
    await sandbox.deleteRequests()
    for (const [status, path, options] of cases) {
      const response = await ask(path, options)
      assert.equal(response.status, status, `${path} ${await response.text()}`)
    }
    const recorded = await sandbox.requests()
    for (const [n, [status, path, , body = rex]] of cases.entries()) {
      const { request, ...one } = recorded[n] as RecordedRequest
      assert.deepEqual([one.status, request.body, request.bodyNotRead], [status, body, undefined], `${path} ${status}`)
      assert.equal(request.isTruncated, status === 413 ? true : undefined)
    }
  })

  test("each call of a tool that a fault or the scope refuses", async () => {
    const { sandbox } = newSandbox()
    await sandbox.setFaults({ body: { rules: [{ match: { operation: "addPet" }, fault: "code=503" }] } })
    await using tools = await connectTools(`${sandbox.url}/mcp`, withKey("special-key"))
    await tools.callTool({ name: "addPet", arguments: { name: "Rex", photoUrls: [] } })
    const [one] = await sandbox.requests({ operation: "addPet" })
    assert.deepEqual([one?.status, JSON.parse(one?.request.body ?? "")], [503, { name: "Rex", photoUrls: [] }])
  })

  test("where nothing was read the entry says so; of a body that stops arriving it has the part that came (slow)", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1")
    const path = `${new URL(sandbox.url).pathname}/api/v3/pet`
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\napi_key: unknown\r\ncontent-length: 30\r\n`
    for (const rest of ["expect: 100-continue\r\n\r\n", "\r\n", '\r\n{"name":']) {
      using connection = await rawConnection(petstore.url)
      connection.send(head + rest)
      assert.equal((await connection.response()).status, 401)
    }
    assert.deepEqual(
      (await sandbox.requests({ operation: "addPet" })).map(({ request: { body, bodyNotRead, isTruncated } }) => [
        body,
        bodyNotRead,
        isTruncated,
      ]),
      [
        [undefined, true, undefined],
        [undefined, true, undefined],
        ['{"name":', undefined, true],
      ],
    )
  })

  test("a request is found by its id, and one to an unknown path or method has its caller", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1")
    const explain = { prefer: "explain" }
    for (const [path, method] of [
      ["/api/v3/pets/unknown", "GET"],
      ["/api/v3/pet/1", "PROPFIND"],
      ["/v2/nothing", "GET"],
    ] as const) {
      const sent = await ask(path, { method, headers: explain })
      const { requestId } = (await sent.json()) as { requestId: string }
      const found = await sandbox.requests({ requestId: requestId ?? sent.headers.get("x-request-id") ?? "" })
      assert.deepEqual(
        found.map(({ caller, request, explanation }) => [caller, request.headers.api_key, explanation?.credential?.id]),
        [["key 1", "key 1", 1]],
        path,
      )
      const logs = await petstoreCommand(sandbox.url, [
        "logs",
        "--request",
        found[0]?.response.headers["x-request-id"] ?? "",
        "--json",
      ])
      assert.equal(logs.code, 0, logs.err)
      assert.deepEqual(JSON.parse(logs.out), found[0])
    }
    assert.equal((await sandbox.requests({ key: 1, path: "/pets/unknown" })).length, 1)
    await ask("/api/v3/pets/unknown", { headers: { api_key: "unknown" } })
    assert.equal((await sandbox.requests()).at(-1)?.caller, undefined)
  })

  test("entries have the order of arrival: in the list, in verify, and a stream that continues after an id misses none", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1")
    await sandbox.deleteRequests()
    const path = `${new URL(sandbox.url).pathname}/api/v3/pet`
    using slow = await rawConnection(petstore.url)
    slow.send(
      `POST ${path} HTTP/1.1\r\nhost: a\r\napi_key: special-key\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${rex.length}\r\n\r\n`,
    )
    assert.equal((await slow.response()).status, 100)
    await ask("/api/v3/pet/3")
    const [quick] = await sandbox.requests()
    slow.send(rex)
    assert.equal((await slow.response()).status, 200)
    const inSequence = [{ operation: "addPet" }, { path: "/pet/3" }]
    assert.equal(await sandbox.verify({ inSequence }), 2)
    await assert.rejects(sandbox.verify({ inSequence: inSequence.toReversed() }), /found the first 1 of them/)
    const ordered = await sandbox.requests()
    assert.deepEqual(
      ordered.map(({ operation }) => operation),
      ["addPet", "getPetById"],
    )
    const [first, second] = ordered.map(({ id }) => id)
    assert.deepEqual([second, quick?.id], [quick?.id, (first ?? 0) + 1])
    const stream = await ask("/api/v3/sandbox/requests/stream", { headers: { "last-event-id": String(second) } })
    for await (const { id, data } of readEventStream(stream.body as AsyncIterable<Uint8Array>)) {
      if (data === undefined) continue
      assert.equal(id, String(first))
      break
    }
  })
})
