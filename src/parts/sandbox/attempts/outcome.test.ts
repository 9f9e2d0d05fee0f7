import assert from "node:assert/strict"
import { test } from "node:test"
import { toOutcome } from "./outcome.ts"

test("an outcome is the status, or what a fault made of the response", () => {
  for (const [status, fault, outcome] of [
    [200, undefined, "200"],
    [503, "code=overloaded; retry-after=3", "503"],
    [200, "wait=2, fault=lose", "lost"],
    [undefined, "fault=drop", "dropped"],
    [undefined, "fault=reset", "reset"],
    [200, "fault=empty", "empty"],
    [200, "fault=truncate", "truncated"],
    [200, "fault=garbage", "garbage"],
    [502, "fault=html", "502"],
    [200, "fault=slow", "200"],
    [204, "webhook=truncated", "204"],
    [undefined, undefined, "no response"],
  ] as const)
    assert.equal(toOutcome({ ...(status && { status }), ...(fault && { fault }) }), outcome)
})
