import assert from "node:assert/strict"
import { test } from "node:test"
import type { Invocable } from "../../api/operations/invoke.ts"
import type { UploadShape } from "../../kernel/endpoint/endpoint.ts"
import { Problem } from "../../kernel/problem.ts"
import { callerOf, type Visitor } from "./caller.ts"

type Options = Record<string, unknown>
type Calls = Record<string, (options?: Options) => Promise<unknown>>

/** Calls an operation for a visitor; returns its result, what was invoked, and what was admitted and received. */
async function call(
  options?: Options,
  {
    endpoint = {},
    visitor = {},
    responded = {},
    sandbox,
    admit,
  }: {
    endpoint?: object
    visitor?: Partial<Visitor>
    responded?: object
    sandbox?: string
    admit?: () => void
  } = {},
) {
  const seen: { invoked?: unknown; read?: unknown; received?: string; upload?: unknown } = {}
  const one = {
    name: "patchPet",
    endpoint: { method: "PATCH", path: "/pet/{petId}", ...endpoint },
    readParameters(read: unknown) {
      seen.read = read
      return "parameters"
    },
    async invoke(
      exchange: { request: object },
      { received, upload, parameters }: { received: Buffer; upload: unknown; parameters: unknown },
    ) {
      assert.equal(parameters, "parameters")
      seen.invoked = exchange.request
      seen.received = String(received)
      seen.upload = upload
      return { json: '{"id":7}', headers: {}, isReplayed: false, ...responded }
    },
  } as unknown as Invocable
  const receive = () => "upload" as never
  const calls = callerOf({ invocables: [one], receive, sandbox, admit: admit ?? (() => {}) })({
    token: undefined,
    ...visitor,
  } as Visitor)
  const result = await (calls as unknown as Calls).patchPet?.(options)
  return { result, ...seen }
}

test("an operation is called with its parameters, its body and the headers of a client", async () => {
  const { read, invoked, received, upload } = await call(
    {
      params: { petId: 7 },
      query: { status: ["a", "b"], limit: 25, name: undefined },
      body: { name: "Rex" },
      ifMatch: '"x"',
      idempotencyKey: "key",
      counts: true,
    },
    { visitor: { token: "pss_1" } },
  )
  assert.deepEqual(read, { params: { petId: "7" }, query: "status=a&status=b&limit=25" })
  assert.deepEqual(invoked, {
    method: "PATCH",
    url: "/pet/{petId}",
    headers: {
      "content-type": "application/json",
      authorization: "Bearer pss_1",
      "if-match": '"x"',
      "idempotency-key": "key",
      prefer: "count=exact",
    },
  })
  assert.deepEqual([received, upload], ['{"name":"Rex"}', undefined])
})

test("an anonymous call without options has no body and no header but the type", async () => {
  const endpoint = { consumes: ["application/xml", "application/merge-patch+json"], upload: {} as UploadShape }
  const { read, invoked, received, upload } = await call(undefined, { endpoint })
  assert.deepEqual([read, received, upload], [{ params: {}, query: "" }, "", "upload"])
  assert.deepEqual((invoked as { headers: object }).headers, { "content-type": "application/merge-patch+json" })
  const other = await call({ ifMatch: "" }, { endpoint: { consumes: ["application/xml"] } })
  assert.deepEqual((other.invoked as { headers: object }).headers, {
    "content-type": "application/json",
    "if-match": "",
  })
})

test("a result has the value, the request as a client sends it, and the cursor of the next page", async () => {
  const given = { params: { petId: 7 }, query: { limit: 2 } }
  const { result } = await call(given, { sandbox: "mine", responded: { etag: '"e"', isReplayed: true, headers: {} } })
  assert.deepEqual(result, {
    request: { method: "PATCH", target: "/pet/7?limit=2", sandbox: "mine" },
    isReplayed: true,
    total: undefined,
    value: { id: 7 },
    etag: '"e"',
    next: undefined,
  })
  const plain = (await call({ params: { petId: 7 } })).result as { request: object }
  assert.deepEqual(plain.request, { method: "PATCH", target: "/pet/7", sandbox: undefined })
  const next = async (next: unknown) => ((await call(given, { responded: { next } })).result as { next?: string }).next
  assert.equal(await next(9), await next({ sort: "-id", id: 9 }))
  assert.notEqual(await next(9), await next({ sort: "id", id: 9 }))
})

test("a visitor who is not admitted calls nothing", async () => {
  const admit = () => {
    throw new Problem("forbidden", "No")
  }
  await assert.rejects(call(undefined, { admit }), { code: "forbidden" })
})
