import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { Store } from "../../domain/ports/store.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import { Problem } from "../../kernel/problem.ts"
import { idempotency, type Repeatable } from "./idempotency.ts"

type Kept = { at: number; response?: { fingerprint: string; status: number; etag: string | undefined; json: string } }

function running(keptMs = 1000) {
  const state = { now: 10_000 }
  const kept = new Map<string, Kept>()
  const tx = {
    idempotency: {
      async claim(accountId: number, key: string, since: number) {
        const name = `${accountId} ${key}`
        const before = kept.get(name)
        if (before && before.at >= since) return false
        kept.set(name, { at: state.now })
        return true
      },
      read: async (accountId: number, key: string, since: number) => {
        const found = kept.get(`${accountId} ${key}`)
        return found && found.at >= since ? found.response : undefined
      },
      keep: async (accountId: number, key: string, response: Kept["response"], at: number) =>
        void kept.set(`${accountId} ${key}`, { at, ...(response && { response }) }),
    },
  }
  const store = { transaction: (work: (inside: object) => Promise<unknown>) => work(tx) }
  const run = idempotency(store as unknown as Store, { now: () => state.now }, keptMs)
  let performed = 0
  const perform = async () => new JsonResponse(json({ n: ++performed }), { etag: '"a"' })
  async function send(key: string | string[] | undefined, given: Partial<Repeatable> = {}, work = perform) {
    const repeatable: Repeatable = {
      request: {
        method: "POST",
        url: "/api/v3/pet",
        headers: key === undefined ? {} : { "idempotency-key": key as string },
      },
      operation: "POST /pet",
      parameters: {},
      body: Buffer.from("{}"),
      accountId: 7,
      status: 200,
      ...given,
    }
    try {
      const { json: text, isReplayed, etag } = await run(repeatable, work)
      return `${text} ${etag}${isReplayed ? " again" : ""}`
    } catch (error) {
      if (error instanceof Problem) return error.code
      throw error
    }
  }
  return { send, state, kept, perform }
}

test("a request with a key runs once, and its response is repeated for a time", async () => {
  const { send, state } = running()
  assert.deepEqual([await send("a"), await send("a")], ['{"n":1} "a"', '{"n":1} "a" again'])
  assert.deepEqual(
    [await send("b"), await send("a", { accountId: 8 }), await send(undefined)],
    [2, 3, 4].map((n) => `{"n":${n}} "a"`),
  )
  assert.equal(await send(undefined), '{"n":5} "a"')
  state.now += 1000
  assert.equal(await send("a"), '{"n":1} "a" again')
  state.now += 1
  assert.equal(await send("a"), '{"n":6} "a"')
})

test("a key is for one request: its operation, parameters and body", async () => {
  const { send, kept } = running()
  await send("a")
  for (const other of [{ operation: "PUT /pet" }, { parameters: { a: 1 } }, { body: Buffer.from("{ }") }])
    assert.equal(await send("a", other), "idempotency-key-reused")
  const former = kept.get("7 a")?.response
  assert.ok(former)
  former.fingerprint = hash("sha256", "POST /api/v3/pet\n{}")
  assert.equal(await send("a"), '{"n":1} "a" again', "as an earlier version stored it")
})

test("a key that is in use is refused, and is free again after a failure", async () => {
  const { send, perform } = running()
  const waiting = Promise.withResolvers<void>()
  const first = send("a", {}, async () => {
    await waiting.promise
    return perform()
  })
  assert.equal(await send("a"), "idempotency-key-in-use")
  assert.equal(await send("a", { accountId: 8 }), '{"n":1} "a"')
  waiting.resolve()
  assert.equal(await first, '{"n":2} "a"')
  const { send: again, kept } = running()
  kept.set("7 a", { at: 10_000 })
  assert.equal(await again("a"), "idempotency-key-in-use", "another process has it")
  kept.clear()
  const fail = () => Promise.reject(new Problem("pet-exists", ""))
  assert.equal(await again("b", {}, fail), "pet-exists")
})

test("a key has 1 to 255 characters", async () => {
  const { send } = running()
  assert.equal(await send("k".repeat(255)), '{"n":1} "a"')
  for (const key of ["", "k".repeat(256), ["a", "b"]]) assert.equal(await send(key), "invalid-parameter")
})
