import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import { memoryAttempts } from "../../storage/memory/attempts.ts"
import { createUser } from "./register.ts"

type Policy = { registrationIsOpen?: boolean; registrationsPerHour?: number; unlimitedAddresses?: string[] }

function registering(policy: Policy = {}) {
  const clock = manualClock()
  const attempts = memoryAttempts(clock)
  const tx = {
    users: {
      byName: async () => undefined,
      nextId: async () => 5,
      add: async () => true,
    },
    accounts: { add: async () => ({ id: 7 }) },
    audit: { append: async () => {} },
  }
  const store = {
    users: { byName: async (name: string) => (name === "taken" ? {} : undefined) },
    transaction: (work: (inside: object) => Promise<unknown>) => work(tx),
  }
  const parts = {
    store,
    clock,
    attempts,
    passwords: { hash: async () => "hash" },
    policy: { registrationIsOpen: true, passwordLengthMin: 8, unlimitedAddresses: [], ...policy },
    endpoint: { audited: ["user.created"] as const },
  }
  const register = async (username = "ada", password = "a password") => {
    const outcome = await runVerb(createUser, parts as never, { body: { username, password } })
    if (!(outcome instanceof Problem)) return "id" in outcome && outcome.id
    return outcome.retryAfter === undefined ? outcome.code : `${outcome.code} ${outcome.retryAfter}`
  }
  return { register, clock }
}

test("people register while registration is open, with a free name and a password that is long enough", async () => {
  const { register } = registering()
  assert.equal(await register(), 5)
  assert.equal(await register("taken"), "user-exists")
  assert.equal(await register("login"), "invalid-body")
  assert.equal(await register("ada", "short"), "invalid-body")
  assert.equal(await registering({ registrationIsOpen: false }).register(), "registration-closed")
})

test("an address registers as many people an hour as the setting allows; refused names do not count", async () => {
  const { register, clock } = registering({ registrationsPerHour: 2 })
  assert.deepEqual([await register("taken"), await register(), await register()], ["user-exists", 5, 5])
  assert.equal(await register(), "too-many-registrations 3600")
  clock.advance(3_599_001)
  assert.equal(await register(), "too-many-registrations 1")
  clock.advance(999)
  assert.equal(await register(), 5)
  const exempt = registering({ registrationsPerHour: 0, unlimitedAddresses: ["192.0.2.0/24"] })
  assert.equal(await exempt.register(), 5)
})
