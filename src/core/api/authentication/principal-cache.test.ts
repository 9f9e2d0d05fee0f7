import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import { principalOf as principal } from "../../../../test/harness/principal.ts"
import { memorySignals } from "../../memory/signals.ts"
import { createPrincipalCache, type Principal } from "./principal-cache.ts"

type Connections = { what: string; connection: () => object }

const one = {}
const connections: Connections[] = [
  { what: "over one connection", connection: () => one },
  { what: "over a connection each", connection: () => ({}) },
]

function fixture({ connection }: Connections, maxDelayMs = 60_000) {
  const signals = { ...memorySignals(), maxDelayMs }
  const clock = manualClock()
  const counted = { hits: 0, misses: 0 }
  const principalOf = createPrincipalCache(signals, clock.steady, counted)
  let lookups = 0
  return {
    clock,
    counted,
    revoke: (accountId: number) => signals.announce({ kind: "credentials-changed", accountId }),
    lookups: () => lookups,
    ask: (secret: string, response: Principal | undefined | Promise<Principal | undefined>) =>
      principalOf("key", secret, connection(), async () => {
        lookups++
        return response
      }),
  }
}

for (const over of connections) {
  test(`a credential is looked up once and then cached, ${over.what}`, async () => {
    const { ask, lookups, counted } = fixture(over)
    for (let n = 0; n < 3; n++) assert.equal((await ask("a", principal(1)))?.caller.account.id, 1)
    assert.equal(lookups(), 1)
    assert.deepEqual(counted, { hits: 2, misses: 1 })
  })

  test(`an invalid credential is looked up every time, ${over.what}`, async () => {
    const { ask, lookups } = fixture(over)
    for (let n = 0; n < 3; n++) assert.equal(await ask("a", undefined), undefined)
    assert.equal(lookups(), 3)
  })

  test(`a change of an account's credentials drops its cached principals and no others, ${over.what}`, async () => {
    const { ask, lookups, revoke } = fixture(over)
    await ask("a", principal(1))
    await ask("b", principal(1))
    await ask("c", principal(2))
    await revoke(1)
    assert.equal(await ask("a", undefined), undefined)
    assert.equal(await ask("b", undefined), undefined)
    assert.ok(await ask("c", undefined))
    assert.equal(lookups(), 5)
    await revoke(2)
    assert.equal(await ask("c", undefined), undefined)
  })

  test(`a second change drops what was cached since the first, also where one of two was looked up again, ${over.what}`, async () => {
    const { ask, clock, lookups, revoke } = fixture(over)
    await ask("a", principal(1))
    await revoke(1)
    await revoke(1)
    await ask("a", principal(1))
    clock.advance(30_000)
    await ask("b", principal(1))
    clock.advance(30_000)
    await ask("a", principal(1))
    assert.equal(lookups(), 4)
    await revoke(1)
    assert.deepEqual([await ask("b", undefined), await ask("a", undefined)], [undefined, undefined])
  })

  test(`a lookup that started before a revocation is not cached after it, ${over.what}`, async () => {
    const { ask, revoke } = fixture(over)
    const slow = Promise.withResolvers<Principal>()
    const asked = ask("a", slow.promise)
    await revoke(1)
    slow.resolve(principal(1))
    await asked
    assert.equal(await ask("a", undefined), undefined)
  })

  for (const maxDelayMs of [5_000, 60_000])
    test(`nothing is cached for longer than a signal may go unheard, ${maxDelayMs} ms, ${over.what}`, async () => {
      const { ask, clock } = fixture(over, maxDelayMs)
      const slow = Promise.withResolvers<Principal>()
      const asked = ask("a", slow.promise)
      clock.advance(1)
      slow.resolve(principal(1))
      await asked
      clock.advance(maxDelayMs - 2)
      assert.ok(await ask("a", undefined))
      clock.jump(-60_000)
      clock.advance(1)
      assert.equal(await ask("a", undefined), undefined)
    })
}

test("another secret over the same connection is another credential, and so is the same text as a token", async () => {
  const signals = memorySignals()
  const principalOf = createPrincipalCache(signals, manualClock())
  for (let n = 0; n < 3; n++) await principalOf("key", "a", one, async () => principal(1))
  assert.equal(await principalOf("token", "a", one, async () => undefined), undefined)
  assert.equal((await principalOf("key", "b", one, async () => principal(2)))?.caller.account.id, 2)
  assert.equal(await principalOf("token", "b", one, async () => undefined), undefined)
  assert.equal((await principalOf("key", "a", one, async () => undefined))?.caller.account.id, 1)
})

test("twenty thousand principals are kept, and the least recently used one makes way (slow)", async () => {
  const principalOf = createPrincipalCache(memorySignals(), manualClock())
  let lookups = 0
  const ask = (n: number) =>
    principalOf("key", `secret ${n}`, {}, async () => {
      lookups++
      return principal(n)
    })
  for (let n = 0; n < 20_000; n++) await ask(n)
  await ask(0)
  assert.equal(lookups, 20_000)
  await ask(20_000)
  await ask(0)
  assert.equal(lookups, 20_001)
  await ask(1)
  assert.equal(lookups, 20_002)
})
