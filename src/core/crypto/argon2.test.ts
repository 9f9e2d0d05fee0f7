import assert from "node:assert/strict"
import { test } from "node:test"
import { argon2Passwords } from "./argon2.ts"

const cheap = argon2Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 })

test("a password is stored as argon2id with the recommended costs, and never as the same hash twice", async () => {
  const passwords = argon2Passwords()
  const [first, second] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")])
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(first, second)
  assert.ok(await passwords.matches("correct horse", first))
  assert.ok(!(await passwords.matches("Correct horse", first)))
})

test("checking a password for an unknown user takes as long as a wrong password, and never matches (slow)", async () => {
  const passwords = argon2Passwords()
  const stored = await passwords.hash("correct horse")
  await passwords.matches("", undefined)
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let n = 0; n < 5; n++)
    for (const [kind, hash] of [
      ["known", stored],
      ["unknown", undefined],
    ] as const) {
      const start = performance.now()
      assert.equal(await passwords.matches("", hash), false)
      times[kind].push(performance.now() - start)
    }
  // Without hashing it would be about a hundred times faster.
  assert.ok(median(times.unknown) > median(times.known) / 4, JSON.stringify(times))
})

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number

test("other requests are served while passwords are hashed", async () => {
  const passwords = argon2Passwords()
  let turns = 0
  let hashing = true
  const count = () => {
    turns++
    if (hashing) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 4 }, () => passwords.hash("correct horse")))
  hashing = false
  assert.ok(turns > 20, `${turns} turns of the event loop`)
})

test("passwords beyond the queue are refused, and queued ones are all hashed", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => cheap.hash("correct horse")))
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []))
  assert.deepEqual(new Set(refused), new Set(["unavailable"]))
  assert.equal(outcomes.length - refused.length, 202)
  assert.ok(await cheap.hash("correct horse"))
})
