import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/petstore.ts"
import { unbounded } from "../../domain/accounts/model.ts"
import { memorySignals } from "../../storage/memory/signals.ts"
import { type Principal, principalCache } from "./principal-cache.ts"

function fixture() {
  const signals = memorySignals()
  const clock = manualClock()
  const principalOf = principalCache(signals, clock)
  let lookups = 0
  return {
    clock,
    revoke: (accountId: number) => signals.announce({ kind: "credentials-changed", accountId }),
    lookups: () => lookups,
    ask: (secret: string, answer: Principal | undefined | Promise<Principal | undefined>) =>
      principalOf("key", secret, async () => {
        lookups++
        return answer
      }),
  }
}

const principal = (accountId: number): Principal => ({
  caller: {
    account: { id: accountId, name: "somebody", plan: "free" },
    ownerId: accountId,
    credential: { kind: "key", id: 1 },
    bounds: unbounded,
    scopes: new Set(),
  },
  expiresAt: undefined,
})

test("a credential is looked up once and then remembered", async () => {
  const { ask, lookups } = fixture()
  for (let n = 0; n < 3; n++) assert.equal((await ask("a", principal(1)))?.caller.account.id, 1)
  assert.equal(lookups(), 1)
})

test("a credential that holds nothing is asked for every time", async () => {
  const { ask, lookups } = fixture()
  for (let n = 0; n < 3; n++) assert.equal(await ask("a", undefined), undefined)
  assert.equal(lookups(), 3)
})

test("a change of an account's credentials voids what is remembered of it and nothing else", async () => {
  const { ask, lookups, revoke } = fixture()
  await ask("a", principal(1))
  await ask("b", principal(1))
  await ask("c", principal(2))
  await revoke(1)
  assert.equal(await ask("a", undefined), undefined)
  assert.equal(await ask("b", undefined), undefined)
  assert.ok(await ask("c", undefined))
  assert.equal(lookups(), 5)
})

test("a lookup that began before a revocation is not remembered after it", async () => {
  const { ask, revoke } = fixture()
  const slow = Promise.withResolvers<Principal>()
  const asked = ask("a", slow.promise)
  await revoke(1)
  slow.resolve(principal(1))
  await asked
  assert.equal(await ask("a", undefined), undefined)
})

test("nothing is remembered for longer than a minute, should a signal ever be lost", async () => {
  const { ask, clock } = fixture()
  await ask("a", principal(1))
  clock.advance(60_000)
  assert.equal(await ask("a", undefined), undefined)
})
