import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Passwords } from "../../../src/domain/ports/passwords.ts"
import { recording, testCompleteness } from "../recording.ts"

/** The required behaviour of every password hashing; `open` may use a low cost. */
export function passwordsConformance(adapter: string, open: () => Passwords): void {
  describe(`${adapter} as password hashing`, () => {
    const recorded = recording()
    const passwords = recorded.watch(open())

    test("a password matches only its own hash, and two hashes of it differ", async () => {
      const [first, second] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")])
      assert.notEqual(first, second)
      assert.ok((await passwords.matches("correct horse", first)) && (await passwords.matches("correct horse", second)))
      for (const wrong of ["Correct horse", "correct horse ", ""]) assert.ok(!(await passwords.matches(wrong, first)))
      assert.match(first, /^\$[a-z0-9-]+\$/, "PHC string format")
      assert.ok(!first.includes("correct"))
    })

    test("every character of a long password is significant", async () => {
      const long = "x".repeat(200)
      const stored = await passwords.hash(`${long}a`)
      assert.ok((await passwords.matches(`${long}a`, stored)) && !(await passwords.matches(`${long}b`, stored)))
    })

    test("equal characters match regardless of their composition", async () => {
      const stored = await passwords.hash("caf\u00e9 noir")
      assert.ok(await passwords.matches("cafe\u0301 noir", stored))
    })

    test("no password matches an absent hash", async () => {
      for (const password of ["", "correct horse"]) assert.equal(await passwords.matches(password, undefined), false)
    })

    test("beyond the maximum number of waiting passwords calls are refused, and waiting ones are completed", async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => passwords.hash("correct horse")))
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []))
      assert.deepEqual(new Set(refused), new Set(["unavailable"]))
      assert.ok(refused.length < 300)
      assert.ok(await passwords.hash("correct horse"))
    })

    testCompleteness(recorded)
  })
}
