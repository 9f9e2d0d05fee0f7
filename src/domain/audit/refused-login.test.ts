import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { memoryAttempts } from "../../storage/memory/attempts.ts"
import type { Store } from "../ports/store.ts"
import type { NewEntry } from "./model.ts"
import { auditRefusedLogin } from "./refused-login.ts"

function refusals() {
  const clock = manualClock()
  const written: NewEntry[] = []
  const store = {
    transaction: (work: (tx: object) => Promise<unknown>) =>
      work({
        audit: {
          async append(entries: NewEntry[], at: number) {
            assert.equal(at, clock.now())
            written.push(...entries)
          },
        },
      }),
  }
  const tools = { clock, attempts: memoryAttempts(clock), store: store as unknown as Store }
  const refuse = async (address: string | undefined, times = 1) => {
    const before = written.length
    const actor = { principal: "anonymous", ...(address !== undefined && { address }) } as const
    for (let n = 0; n < times; n++) await auditRefusedLogin(tools, actor, undefined)
    return written.length - before
  }
  return { clock, refuse }
}

test("of an address twenty refused logins an hour are written, and of all three hundred", async () => {
  const { clock, refuse } = refusals()
  assert.equal(await refuse("192.0.2.1", 30), 20)
  assert.equal(await refuse(undefined, 30), 20)
  clock.advance(3_599_999)
  assert.equal(await refuse("192.0.2.1"), 0)
  clock.advance(1)
  assert.equal(await refuse("192.0.2.1"), 1)
  let count = 1
  for (let n = 2; n < 30; n++) count += await refuse(`192.0.2.${n}`, 20)
  assert.equal(count, 300)
})
