import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { clockActions, distanceOf } from "./clock.ts"
import { resetForm, resetQuestion } from "./reset.ts"

const rows =
  (length: number) =>
  async ({ query }: { query: { limit: number } }) => ({
    value: Array.from({ length: Math.min(length, query.limit) }),
  })

/** What is asked before a reset of a sandbox with these things. */
async function asked(pets: Record<string, number>, webhooks: number, keys: number): Promise<string | undefined> {
  const call = { getInventory: async () => ({ value: pets }), listWebhooks: rows(webhooks), listKeys: rows(keys) }
  const visit = { sandbox: async () => call, params: {} } as unknown as Visit
  const { title, detail, button } = await resetQuestion.question(visit, new URLSearchParams())
  assert.deepEqual([title, button], ["Reset the sandbox?", "Reset the sandbox"])
  return detail
}

test("a question before a reset counts what goes, up to a hundred of a kind", async () => {
  const others = "and all other data: orders, users, events and sign-ins. This cannot be undone."
  assert.equal(await asked({ available: 2, sold: 1 }, 0, 1), `3 pets, 0 webhooks and 1 key go, ${others}`)
  assert.equal(await asked({ available: 1 }, 99, 99), `1 pet, 99 webhooks and 99 keys go, ${others}`)
  const many = `0 pets, at least 100 webhooks and at least 100 keys go, ${others}`
  assert.equal(await asked({}, 100, 101), many)
  assert.deepEqual([resetQuestion.password, resetQuestion.always], [true, true])
})

test("a reset says what the sandbox has now; that of the service's own ends all sessions", async () => {
  const seeds: unknown[] = []
  const call = {
    resetSandbox: async (request: unknown) => void seeds.push(request),
    getInventory: async () => ({ value: { available: 1 } }),
  }
  const reset = (params: object) => {
    const visit = { sandbox: async () => call, params } as unknown as Visit
    return resetForm.actions.reset?.(visit, new URLSearchParams("seed=classic"))
  }
  const notice = "The sandbox was reset. It has 1 pet now, and the well-known keys and users"
  assert.deepEqual(await reset({ name: "mine" }), { to: "/sandbox/mine", notice })
  assert.deepEqual(await reset({}), { to: "/sandbox", notice, endsSessions: true })
  assert.deepEqual(seeds, Array(2).fill({ query: { seed: "classic" } }))
})

test("a clock is frozen, at real time, ahead of it or behind it", () => {
  const clock = (aheadSeconds: number, frozen = false) => distanceOf({ time: "", aheadSeconds, frozen })
  assert.equal(clock(60, true), "frozen")
  assert.equal(clock(0), "real time")
  assert.equal(clock(60), "1 minute ahead of real time")
  assert.equal(clock(-7200), "2 hours behind real time")
  assert.equal(clock(1), "1 second ahead of real time")
})

test("after an advance, the notice says what was done on the way", async () => {
  const sent: unknown[] = []
  const advance = async (action: string, form: string, done: object) => {
    const value = {
      time: "2026-01-02T03:04:05.000Z",
      isComplete: true,
      deliveriesAttempted: 0,
      keysExpired: 0,
      ordersCancelled: 0,
      ...done,
    }
    const advanceClock = async ({ body }: { body: unknown }) => {
      sent.push(body)
      return { value }
    }
    const visit = { sandbox: async () => ({ advanceClock }), params: { name: "mine" } } as unknown as Visit
    const result = await clockActions[action]?.(visit, new URLSearchParams(form))
    assert.ok(result && "to" in result)
    assert.equal(result.to, "/sandbox/mine")
    return result.notice
  }
  const at = "The time is 2026-01-02 03:04:05 UTC: "
  assert.equal(await advance("advance", "advance=PT1H", {}), `${at}nothing was due on the way`)
  assert.equal(
    await advance("freeze", "freeze=yes", { deliveriesAttempted: 1, keysExpired: 2, ordersCancelled: 1 }),
    `${at}1 delivery attempt made, 2 keys expired and 1 order cancelled`,
  )
  assert.equal(
    await advance("freeze", "freeze=no", { ordersCancelled: 2, isComplete: false }),
    `${at}2 orders cancelled; it took too long, so advance again`,
  )
  assert.equal(await advance("advance-to", "to=2026-01-02T03:04", { keysExpired: 1 }), `${at}1 key expired`)
  assert.equal(await advance("advance", "", { deliveriesAttempted: 2 }), `${at}2 delivery attempts made`)
  assert.deepEqual(sent, [
    { advance: "PT1H" },
    { freeze: true },
    { freeze: false },
    { to: "2026-01-02T03:04:00Z" },
    { advance: "" },
  ])
})
