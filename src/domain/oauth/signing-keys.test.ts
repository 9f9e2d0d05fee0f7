import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import type { Store } from "../ports/store.ts"
import { rotateNow, rotateWhenDue } from "./signing-keys.ts"

const dayMs = 24 * 3_600_000

function signing() {
  const clock = manualClock()
  let keys: { kid: string; createdAt: number; sealed: string }[] = []
  const audited: object[] = []
  const calls: string[] = []
  let made = 0
  const signingKeys = {
    all: async () => keys,
    async add(key: (typeof keys)[number]) {
      keys = [key, ...keys]
    },
    async prune(before: number) {
      keys = keys.filter(({ createdAt }) => createdAt >= before)
    },
  }
  const tx = {
    signingKeys,
    origin: { lock: async () => void calls.push("lock") },
    audit: { append: async (entries: object[]) => void audited.push(...entries) },
  }
  let last: Promise<unknown> = Promise.resolve()
  const transaction = (work: (inside: object) => Promise<unknown>) => {
    last = last.then(() => work(tx))
    return last
  }
  const store = { signingKeys, transaction }
  const deps = {
    store: store as unknown as Store,
    clock,
    sealing: {
      seal: (text: string, purpose: string) => `${text} for ${purpose}`,
      open: () => assert.fail("not opened"),
    },
    makeKey: async () => ({ kid: `key ${++made}`, jwk: `jwk ${made}` }),
  } as unknown as Parameters<typeof rotateWhenDue>[0]
  return { deps, clock, audited, calls, kids: () => keys.map(({ kid }) => kid), newest: () => keys[0] }
}

test("a key signs for ninety days", async () => {
  const { deps, clock, audited, calls, kids } = signing()
  assert.deepEqual([await rotateWhenDue(deps), kids(), audited], [true, ["key 1"], []])
  clock.advance(90 * dayMs - 1)
  assert.equal(await rotateWhenDue(deps), false)
  clock.advance(1)
  assert.deepEqual([await rotateWhenDue(deps), kids()], [true, ["key 2", "key 1"]])
  assert.deepEqual(audited, [{ principal: "service", action: "signing-key.rotated", details: { kid: "key 2" } }])
  assert.deepEqual(calls, ["lock", "lock"])
})

test("a key that no longer signs verifies for a week more", async () => {
  for (const [ms, kept] of [
    [7 * dayMs, ["key 3", "key 2", "key 1"]],
    [7 * dayMs + 1, ["key 3", "key 2"]],
  ] as const) {
    const { deps, clock, kids } = signing()
    await rotateWhenDue(deps)
    clock.advance(ms)
    await rotateNow(deps, false)
    clock.advance(90 * dayMs)
    await rotateWhenDue(deps)
    assert.deepEqual(kids(), kept)
  }
})

test("of two services that find a key due, one adds it", async () => {
  const { deps, kids } = signing()
  const rotated = await Promise.all([rotateWhenDue(deps), rotateWhenDue(deps)])
  assert.deepEqual([rotated.toSorted(), kids().length], [[false, true], 1])
})

test("an operator's key signs at once, also after the clock was set back, and can void the others", async () => {
  const { deps, clock, audited, kids, newest } = signing()
  assert.equal(await rotateNow(deps, true), "key 1")
  const first = clock.now()
  clock.jump(-dayMs)
  assert.equal(await rotateNow(deps, false), "key 2")
  assert.deepEqual([newest()?.createdAt, kids()], [first + 1, ["key 2", "key 1"]])
  assert.equal(newest()?.sealed.startsWith("jwk 2 for "), true)
  clock.jump(2 * dayMs)
  await rotateNow(deps, true)
  assert.deepEqual([newest()?.createdAt, kids()], [clock.now(), ["key 3"]])
  assert.deepEqual(
    audited,
    ["key 2", "key 3"].map((kid) => ({ principal: "operator", action: "signing-key.rotated", details: { kid } })),
  )
})
