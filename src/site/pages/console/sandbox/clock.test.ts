import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { clockActions, clockSection, distanceOf } from "./clock.ts"

const done = {
  time: "2026-01-31T12:00:00Z",
  isComplete: true,
  deliveriesAttempted: 0,
  keysExpired: 0,
  ordersCancelled: 0,
}

/** What an action asks of the clock, where it leads and what it says. */
async function act(action: string, fields: Record<string, string>, result: object = {}, name?: string) {
  const asked: object[] = []
  const advanceClock = async ({ body }: { body: object }) => {
    asked.push(body)
    return { value: { ...done, ...result } }
  }
  const visit = { params: { name }, sandbox: async () => ({ advanceClock }) } as unknown as Visit
  const led = await clockActions[action]?.(visit, new URLSearchParams(fields))
  return { asked, ...led }
}

test("the clock is advanced by a duration or to a time, frozen, and released", async () => {
  const notice = "The time is 2026-01-31 12:00:00 UTC: nothing was due on the way"
  const led = (body: object, to = "/sandbox") => ({ asked: [body], to, notice })
  assert.deepEqual(await act("advance", { advance: "P1D" }), led({ advance: "P1D" }))
  assert.deepEqual(await act("advance", {}), led({ advance: "" }))
  assert.deepEqual(await act("advance-to", { to: "2026-01-31T12:00" }), led({ to: "2026-01-31T12:00:00Z" }))
  assert.deepEqual(await act("freeze", { freeze: "yes" }, {}, "mine"), led({ freeze: true }, "/sandbox/mine"))
  assert.deepEqual(await act("freeze", { freeze: "no" }), led({ freeze: false }))
})

test("what was due on the way is said, and whether the clock stopped before the end", async () => {
  const said = async (result: object) => {
    const { notice } = (await act("advance", { advance: "P1D" }, result)) as { notice: string }
    return notice.replace("The time is 2026-01-31 12:00:00 UTC: ", "")
  }
  assert.equal(await said({ deliveriesAttempted: 1 }), "1 delivery attempt made")
  assert.equal(await said({ keysExpired: 1 }), "1 key expired")
  assert.equal(await said({ ordersCancelled: 1 }), "1 order cancelled")
  assert.equal(
    await said({ deliveriesAttempted: 2, keysExpired: 3, ordersCancelled: 4, isComplete: false }),
    "2 delivery attempts made, 3 keys expired and 4 orders cancelled; it took too long, so advance again",
  )
})

test("the page says how far the clock is from real time, and offers its steps", () => {
  const clock = (aheadSeconds: number, frozen = false) => ({ time: done.time, aheadSeconds, frozen })
  const distances = [clock(0), clock(1), clock(-1), clock(86_400 * 30), clock(0, true), clock(5, true)].map(distanceOf)
  assert.deepEqual(distances, [
    "real time",
    "1 second ahead of real time",
    "1 second behind real time",
    "30 days ahead of real time",
    "frozen",
    "frozen",
  ])
  const visit = { root: "/console", path: "/sandbox", token: "T", scopes: new Set() } as unknown as Visit
  const buttons = (frozen: boolean) => {
    const { text } = clockSection(visit, clock(0, frozen))
    return [...text.matchAll(/name="(advance|freeze)" value="(\w+)">\s*<button[^>]*>([^<]*)</g)].map((found) =>
      found.slice(1).join(" "),
    )
  }
  const steps = ["advance PT1H +1 hour", "advance P1D +1 day", "advance P30D +30 days"]
  assert.deepEqual(buttons(false), [...steps, "freeze yes Freeze"])
  assert.deepEqual(buttons(true), [...steps, "freeze no Let it run"])
})
