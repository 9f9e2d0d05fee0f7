import assert from "node:assert/strict"
import { test } from "node:test"
import { expect, giveVerdict, Missed, Unclaimed, Unmeasured } from "./verdict.ts"

test("an examination passes, is missed with the evidence, not claimed or not measured; other errors are its own", async () => {
  const verdict = (error: Error | undefined, requests: string[] = ["GET /"]) =>
    giveVerdict(
      async () => {
        if (error) throw error
      },
      () => requests,
    )
  assert.deepEqual(await verdict(undefined), { outcome: "passed" })
  assert.deepEqual(await verdict(new Unclaimed("it has no keys")), { outcome: "unclaimed", observed: "it has no keys" })
  assert.deepEqual(await verdict(new Unmeasured("it\nended")), { outcome: "unmeasured", observed: "it ended" })
  assert.deepEqual(await verdict(new Missed("nothing")), {
    outcome: "missed",
    observed: "nothing",
    requests: ["GET /"],
  })
  assert.deepEqual(await verdict(new Missed("nothing"), []), { outcome: "missed", observed: "nothing" })
  assert.deepEqual(await verdict(new TypeError("it is undefined")), {
    outcome: "missed",
    observed: "something of another form: it is undefined",
    requests: ["GET /"],
  })
  await assert.rejects(verdict(new Error("a bug")), new Error("a bug"))
})

test("an observation is one line of at most 400 characters", () => {
  assert.equal(new Missed(" a\n\t b  c ").message, "a b c")
  assert.equal(new Missed("x".repeat(400)).message, "x".repeat(400))
  assert.equal(new Missed("x".repeat(401)).message, `${"x".repeat(400)}…`)
  assert.deepEqual(
    [new Missed("").name, new Unclaimed("").name, new Unmeasured("").name],
    ["Missed", "Unclaimed", "Unmeasured"],
  )
})

test("what is as expected is not rejected", () => {
  expect(true, "unused")
  assert.throws(() => expect(false, "something else"), new Missed("something else"))
})
