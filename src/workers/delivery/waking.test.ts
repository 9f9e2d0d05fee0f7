import assert from "node:assert/strict"
import { test } from "node:test"
import type { Change, Database } from "../../domain/ports/store.ts"
import { wakingOf } from "./waking.ts"

/** Waking of a store in which `listens` says whether a webhook listens. */
function wakingWith(listens: () => boolean | Promise<boolean>) {
  let listener: ((changes: ReadonlySet<Change>) => void) | undefined
  const store = {
    onCommit(added: (changes: ReadonlySet<Change>) => void) {
      listener = added
      return () => {
        listener = undefined
      }
    },
    webhooks: { anyListens: listens },
  } as unknown as Database
  let woken = 0
  const waking = wakingOf(store, () => void woken++)
  const since = () => {
    const count = woken
    woken = 0
    return count
  }
  return {
    waking,
    since,
    commit: (...changes: Change[]) => listener?.(new Set(changes)),
    listens: () => listener !== undefined,
  }
}

test("it wakes at the start, every second, and after a commit that made a delivery due, until it is closed", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] })
  const { waking, since, commit, listens } = wakingWith(() => assert.fail("nothing has to be asked"))
  assert.equal(since(), 0)
  waking.start()
  assert.equal(since(), 1)
  t.mock.timers.tick(999)
  assert.equal(since(), 0)
  t.mock.timers.tick(1001)
  assert.equal(since(), 2)
  commit("delivery-due", "event-added")
  assert.equal(since(), 1)
  waking.soon()
  waking.close()
  t.mock.timers.tick(10_000)
  assert.deepEqual([since(), listens()], [0, false])
})

test("after other commits it wakes when a webhook listens, or when that is unknown", async () => {
  for (const [listens, expected, running] of [
    [() => true, 1, 0],
    [() => false, 0, 0],
    [async () => true, 1, 1],
    [async () => false, 0, 1],
    [() => Promise.reject(new Error("away")), 1, 1],
    [
      () => {
        throw new Error("away")
      },
      1,
      0,
    ],
  ] as [() => boolean | Promise<boolean>, number, number][]) {
    const { waking, since, commit } = wakingWith(listens)
    waking.start()
    since()
    commit("event-added")
    const asked = waking.asking.size
    await Promise.all(waking.asking)
    await new Promise(setImmediate)
    assert.deepEqual([since(), asked, waking.asking.size], [expected, running, 0], String(listens))
    waking.close()
  }
})

test("for capacity it wakes a tenth of a second later, once", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { waking, since } = wakingWith(() => false)
  for (let n = 0; n < 3; n++) waking.soon()
  t.mock.timers.tick(99)
  assert.equal(since(), 0)
  t.mock.timers.tick(1)
  assert.equal(since(), 1)
  waking.soon()
  t.mock.timers.tick(100)
  assert.equal(since(), 1)
})
