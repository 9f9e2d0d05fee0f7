import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Passwords } from "../../../src/core/domain/ports/passwords.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The requirements for every hashing of passwords; `open` may make it cheap. */
export function passwordsConformance(adapter: string, open: () => Passwords): void {
  describe(`${adapter} hashing passwords`, () => {
    const recorded = recording()
    const passwords = recorded.watch(open())

    test("a password matches its hash, no other password does, and no two hashes are equal", async () => {
      const [first, second] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")])
      assert.notEqual(first, second)
      assert.ok((await passwords.matches("correct horse", first)) && (await passwords.matches("correct horse", second)))
      for (const wrong of ["Correct horse", "correct horse ", ""]) assert.ok(!(await passwords.matches(wrong, first)))
      assert.match(first, /^\$[a-z0-9-]+\$/, "PHC string format")
      assert.ok(!first.includes("correct"))
    })

    test("long passwords are significant to their last character", async () => {
      const long = "x".repeat(200)
      const stored = await passwords.hash(`${long}a`)
      assert.ok((await passwords.matches(`${long}a`, stored)) && !(await passwords.matches(`${long}b`, stored)))
    })

    test("the same characters match, however a keyboard composes them", async () => {
      const stored = await passwords.hash("caf\u00e9 noir")
      assert.ok(await passwords.matches("cafe\u0301 noir", stored))
    })

    test("without a stored hash no password matches", async () => {
      for (const password of ["", "correct horse"]) assert.equal(await passwords.matches(password, undefined), false)
    })

    test("passwords beyond the queue are refused, and queued ones are all hashed", async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.hash("correct horse")))
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []))
      assert.deepEqual(new Set(refused), new Set(["unavailable"]))
      assert.ok(refused.length < 300)
      assert.ok(await passwords.hash("correct horse"))
    })

    testCompleteness(recorded)
  })
}
