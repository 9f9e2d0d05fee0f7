import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import type { SandboxTime } from "../../domain/sandbox/model.ts"
import { Problem } from "../../kernel/problem.ts"
import { clockVerbs } from "./clock.ts"

const now = Date.UTC(2026, 0, 1)
const shown = { time: "2026-01-01T00:00:00.000Z", aheadSeconds: 5, frozen: true }

/** Where an advance leads, in milliseconds from now, and whether it freezes; or the details of the refusal. */
async function advance(body: object, isAdvancing = false) {
  const moves: unknown[] = []
  const time: SandboxTime = {
    read: () => shown,
    async advance(targetFrom, freeze) {
      if (isAdvancing) return undefined
      moves.push(targetFrom(now) - now, freeze)
      return { ...shown, isComplete: true, deliveriesAttempted: 0, keysExpired: 0, ordersCancelled: 0 }
    },
    endAdvances() {},
    fromStart: (work) => work(),
  }
  const outcome = await runVerb(clockVerbs(time).advanceClock, {}, { body })
  if (!(outcome instanceof Problem)) return moves
  const [violation] = outcome.violations
  return violation && "pointer" in violation ? [violation.pointer, violation.code, violation.detail] : outcome.code
}

const lastMs = Date.UTC(2100, 0) - 1 - now
const members = ["", "wrong-form", "must have advance, to or freeze, and not both advance and to"]
const before = "must not be before the time in the sandbox"
const after = "must lead to a time before the year 2100"

for (const [body, expected] of [
  [{ advance: "PT1S" }, [1000, undefined]],
  [{ advance: "PT0S", freeze: false }, [0, false]],
  [{ freeze: true }, [0, true]],
  [{ freeze: false }, [0, false]],
  [{ to: "2026-01-01T00:00:00Z" }, [0, undefined]],
  [{ to: "2026-01-02T00:00:00Z", freeze: true }, [86_400_000, true]],
  [{ to: "2099-12-31T23:59:59.999Z" }, [lastMs, undefined]],
  [{}, members],
  [{ advance: "PT1S", to: "2026-01-02T00:00:00Z" }, members],
  [{ advance: "PT1S", to: "2026-01-02T00:00:00Z", freeze: true }, members],
  [{ to: "2025-12-31T23:59:59.999Z" }, ["/to", "too-small", before]],
  [{ to: "2100-01-01T00:00:00Z" }, ["/to", "too-large", after]],
  [{ advance: "P30000D" }, ["/advance", "too-large", after]],
] as const)
  test(`an advance with ${JSON.stringify(body)} is made or refused`, async () =>
    assert.deepEqual(await advance(body), expected))

test("an advance beside one that waits for a receiver is refused", async () => {
  assert.equal(await advance({ advance: "PT1S" }, true), "clock-advancing")
})

test("the service's own sandbox has the real time and cannot be advanced", async () => {
  const { getClock, advanceClock } = clockVerbs(undefined)
  assert.deepEqual(await runVerb(getClock, { clock: { now: () => now } }), { ...shown, aheadSeconds: 0, frozen: false })
  const refused = await runVerb(advanceClock, {}, { body: { advance: "PT1S" } })
  assert.ok(refused instanceof Problem && refused.code === "named-sandbox-required")
})
