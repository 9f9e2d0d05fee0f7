import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyList, petWith, shop } from "../../../../test/harness/shop.ts"
import { storePage } from "./store-page.ts"
import type { ListView, Shop } from "./views.ts"

/** What the list of the store shows. */
function shown(view: Partial<ListView> = {}, knownKeys: Shop["knownKeys"] = []) {
  const { status, body } = storePage({ ...shop, knownKeys }, { ...emptyList, ...view })
  const text = String(body)
  return {
    status,
    pets: [...text.matchAll(/data-pet="(\d+)"/g)].map(([, id]) => Number(id)),
    hasGrid: text.includes('<ul class="grid">'),
    nothing: /<p class="nothing">(.*?)(?: <a|<\/p>)/.exec(text)?.[1],
    isSandbox: text.includes("Sandbox: sample data and public keys."),
    hasHint: text.includes("Replace YOUR_KEY"),
    credentials: [...text.matchAll(/<td>(all|[\w:, ]+)<\/td><\/tr>/g)].map(([, scopes]) => scopes),
  }
}

test("a list has its pets, or says why there are none", () => {
  const one = shown({ pets: [petWith(7)] })
  assert.deepEqual([one.pets, one.hasGrid, one.nothing], [[7], true, undefined])
  const nothing = (view: Partial<ListView>) => {
    const { status, hasGrid, nothing } = shown(view)
    return [status, hasGrid, nothing]
  }
  assert.deepEqual(nothing({}), [200, false, "No pets match."])
  assert.deepEqual(nothing({ next: "c" }), [200, false, "No pets among these match: the next page continues."])
  assert.deepEqual(nothing({ isStart: true }), [200, false, "There are no pets yet. The command below adds one."])
  assert.deepEqual(nothing({ refusal: "No" }), [400, false, undefined])
})

test("a sandbox has public keys, with their scopes", () => {
  const key = { secret: "special-key", plan: "pro", scopes: ["read:pets" as const, "write:pets" as const] }
  const { isSandbox, hasHint } = shown()
  assert.deepEqual([isSandbox, hasHint], [false, true])
  const sandbox = shown({}, [key])
  assert.deepEqual([sandbox.isSandbox, sandbox.hasHint], [true, false])
  assert.deepEqual(sandbox.credentials, ["read:pets, write:pets"])
})
