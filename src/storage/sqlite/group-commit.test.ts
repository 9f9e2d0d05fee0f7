import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { turns } from "../../../test/harness/turns.ts"
import { type Change, OutcomeUnknown, StoreUnavailable } from "../../domain/ports/store.ts"
import type { Checkpoint } from "./checkpoint.ts"
import { GroupCommit } from "./group-commit.ts"

/** Commits to a database in memory, with flushes that a test ends; records what happens. */
function openCommits() {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE names (name TEXT)")
  const insert = db.prepare("INSERT INTO names (name) VALUES (?)")
  const events: string[] = []
  const flushes: { done(): void; fail(error: Error): void }[] = []
  const state = { isDue: false, isHeld: false }
  const log = (event: string) => () => void events.push(event)
  const flush = () => {
    events.push("flush")
    return state.isHeld
      ? new Promise<void>((resolve, reject) => flushes.push({ done: resolve, fail: reject }))
      : Promise.resolve()
  }
  const checkpoint: Checkpoint = {
    request: log("request"),
    isDue: () => state.isDue,
    // Every row that was written moves the end of the log.
    position: () => String(db.prepare("SELECT total_changes() AS n").get()?.n),
    async run() {
      events.push("checkpoint")
      state.isDue = false
    },
    degraded: () => [],
    metrics: [],
  }
  const commits = new GroupCommit(db, {
    disk: { syncLog: flush },
    checkpoint,
    reserve: { isFull: () => false, spend: log("spend"), renew: log("renew") },
    hooks: {
      beforeCommit: log("commit"),
      committed: (isWritten) => void events.push(isWritten ? "written" : "empty"),
      durable: log("durable"),
      rolledBack: (error) => void events.push(`rolled back: ${(error as Error).message}`),
      failed: (error) => void events.push(`failed: ${error.message}`),
    },
  })
  const add = (name: string, change?: Change) =>
    commits.run(async () => {
      insert.run(name)
      commits.noteWritten(1)
      if (change) commits.noteChange(change)
      return name
    })
  const take = () => events.splice(0)
  const names = () => db.prepare("SELECT count(*) AS n FROM names").get()?.n
  return { commits, add, take, names, state, flushes, db }
}

const whole = ["renew", "commit", "written", "flush", "durable"]

test("transactions that arrive together are committed together, 64 at most", async () => {
  const { commits, add, take, names } = openCommits()
  for (const [count, groups] of [
    [1, 1],
    [64, 1],
    [65, 2],
    [129, 3],
  ] as const) {
    const results = await Promise.all(Array.from({ length: count }, (_, n) => add(`${n}`)))
    await commits.idle()
    assert.deepEqual(
      results,
      Array.from({ length: count }, (_, n) => `${n}`),
    )
    assert.deepEqual(
      take().filter((event) => event === "flush"),
      Array(groups).fill("flush"),
    )
  }
  assert.equal(names(), 1 + 64 + 65 + 129)
})

test("a group that waits for the one before takes others up to 64", async () => {
  const { commits, add, state, flushes } = openCommits()
  state.isHeld = true
  const first = add("first")
  await turns()
  let done = 0
  const others: Promise<unknown>[] = []
  for (const count of [40, 60]) {
    for (let n = 0; n < count; n++) others.push(add("other").then(() => done++))
    await turns()
  }
  const committed: number[] = []
  for (let n = 0; n < 3; n++) {
    flushes.shift()?.done()
    await turns()
    committed.push(done)
  }
  assert.deepEqual(committed, [0, 64, 100])
  await Promise.all([first, ...others])
  await commits.idle()
})

test("ten thousand transactions wait at most", async () => {
  const { commits } = openCommits()
  const nothing = async () => undefined
  const waiting = Array.from({ length: 10_000 }, () => commits.run(nothing))
  assert.equal(commits.waiting, 10_000)
  await assert.rejects(commits.run(nothing), new StoreUnavailable("too many writes are waiting"))
  await Promise.all(waiting)
  await commits.idle()
  assert.equal(commits.waiting, 0)
  assert.equal(await commits.run(async () => 7), 7)
})

test("a group that wrote is flushed before its results, and one that did not is not", async () => {
  const { commits, add, take, state, flushes } = openCommits()
  await add("a")
  await commits.idle()
  assert.deepEqual(take(), whole)
  await commits.run(async () => undefined)
  await commits.idle()
  assert.deepEqual(take(), ["renew", "commit", "empty"])
  state.isHeld = true
  let result = ""
  void add("b").then((name) => (result = name))
  await turns()
  assert.deepEqual([take(), result], [whole.slice(0, -1), ""])
  // It runs meanwhile, and is committed once the one before is durable.
  const refused = commits.run(async () => assert.fail("no")).catch(() => "refused")
  const third = add("c")
  await turns()
  assert.deepEqual(take(), ["renew", "rolled back: no"])
  const fourth = add("d")
  await turns()
  assert.deepEqual(take(), [], "it joins the group that waits")
  flushes.shift()?.done()
  await turns()
  assert.deepEqual([take(), result], [["durable", "commit", "written", "flush"], "b"])
  flushes.shift()?.done()
  assert.deepEqual(await Promise.all([refused, third, fourth]), ["refused", "c", "d"])
  await commits.idle()
  assert.deepEqual(take(), ["durable"])
})

test("listeners receive the changes of each group that has any, once it is durable", async () => {
  const { commits, add, state, flushes } = openCommits()
  const received: Change[][] = []
  const stop = commits.listen((changes) => void received.push([...changes].sort()))
  await add("nothing")
  await Promise.all([add("a", "event-added"), add("b", "delivery-due"), add("c", "event-added")])
  await commits.idle()
  assert.deepEqual(received.splice(0), [["delivery-due", "event-added"]])
  state.isHeld = true
  const last = add("d", "event-added")
  await turns()
  assert.deepEqual(received, [])
  flushes.shift()?.done()
  await last
  await commits.idle()
  assert.deepEqual(received.splice(0), [["event-added"]])
  state.isHeld = false
  stop()
  await add("e", "event-added")
  await commits.idle()
  assert.deepEqual(received, [])
})

test("a due checkpoint and work that commits by itself run between groups, when every commit is durable", async () => {
  const { commits, add, take, state } = openCommits()
  state.isDue = true
  await add("a")
  await commits.idle()
  assert.deepEqual(take(), ["durable", "checkpoint", ...whole])
  const alone = commits.alone(async () => {
    state.isDue = true
  })
  await alone
  await commits.idle()
  assert.deepEqual(take(), ["commit", "written", "durable", "durable", "checkpoint"])
  await assert.rejects(
    commits.alone(() => Promise.reject(new Error("no"))),
    /^Error: no$/,
  )
  await commits.idle()
  assert.deepEqual(take(), ["commit", "rolled back: no"])
})

test("after a full disk the reserve is spent, once", async () => {
  const { commits, add, take } = openCommits()
  const full = Object.assign(new Error("full"), { errcode: 13 })
  await assert.rejects(
    commits.run(() => Promise.reject(full)),
    full,
  )
  await commits.idle()
  assert.deepEqual(
    take().filter((event) => event === "spend"),
    ["spend"],
  )
  await add("a")
  await commits.idle()
  assert.deepEqual(take(), whole)
})

test("while writes are refused none runs, and those that wait for the disk have no known outcome", async () => {
  const { commits, add, take, state, flushes, names } = openCommits()
  state.isHeld = true
  const flushing = add("a", "event-added")
  await turns()
  const waiting = add("b")
  await turns()
  const refusal = new StoreUnavailable("the disk does not respond")
  const received: Change[][] = []
  commits.listen((changes) => void received.push([...changes].sort()))
  commits.refuse(refusal)
  assert.equal(commits.refusal, refusal.message)
  const outcomes = await Promise.allSettled([flushing, waiting, add("c")])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.constructor),
    [OutcomeUnknown, StoreUnavailable, StoreUnavailable],
  )
  await turns()
  assert.equal(names(), 1, "the second was rolled back")
  flushes.shift()?.done()
  await turns()
  assert.deepEqual(received, [["event-added", "outcome-unknown"]])
  commits.resume()
  assert.equal(commits.refusal, undefined)
  state.isHeld = false
  take()
  assert.equal(await add("d"), "d")
  await commits.idle()
  assert.deepEqual(take(), whole)
})

test("a transaction is refused at once, also while other work waits for the disk", async () => {
  const { commits, add, state, flushes } = openCommits()
  state.isHeld = true
  const flushing = assert.rejects(add("a"), OutcomeUnknown)
  await turns()
  const alone = commits.alone(async () => undefined)
  await turns()
  const refusal = new StoreUnavailable("the disk does not respond")
  commits.refuse(refusal)
  let refused: unknown
  void add("b").catch((error: unknown) => {
    refused = error
  })
  await turns()
  assert.equal(refused, refusal)
  commits.resume()
  flushes.shift()?.done()
  await Promise.all([flushing, alone])
  await commits.idle()
})

test("when a flush fails, its callers have no outcome, and writing ends", async () => {
  const { commits, add, take, state, flushes } = openCommits()
  state.isHeld = true
  let ended = false
  void add("a").finally(() => (ended = true))
  await turns()
  flushes.shift()?.fail(new Error("EIO"))
  await turns()
  assert.deepEqual([ended, take()], [false, ["renew", "commit", "written", "flush", "failed: the disk failed"]])
  await assert.rejects(add("b"), new StoreUnavailable("the disk failed"))
  await assert.rejects(
    commits.alone(async () => undefined),
    new StoreUnavailable("the disk failed"),
  )
  await commits.idle()
  assert.deepEqual(take(), Array(2).fill("rolled back: the disk failed"), "nothing runs")
})

test("a job that arrives while a group runs, with nothing to wait for, is of the next group", async () => {
  const { commits, add, take } = openCommits()
  for (let n = 0; n < 2; n++) {
    let inner: Promise<string> | undefined
    await commits.run(async () => {
      inner = add("inner")
      await turns()
    })
    assert.equal(await inner, "inner")
    await commits.idle()
    assert.deepEqual(take(), ["renew", "commit", "empty", ...whole])
  }
})

test("a group that is running, or has no space for more, is refused at once when the disk does not respond", async () => {
  const { commits, add, state, flushes } = openCommits()
  state.isHeld = true
  const refusal = new StoreUnavailable("the disk does not respond")
  let finish = () => {}
  const running = () =>
    commits.run(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
  for (const others of [
    () => [running()],
    () => Array.from({ length: 64 }, (_, n) => add(`${n}`)),
    () => Array.from({ length: 65 }, (_, n) => add(`${n}`)),
  ]) {
    const flushing = assert.rejects(add("a"), OutcomeUnknown)
    await turns()
    const refused = Promise.allSettled(others())
    await turns()
    commits.refuse(refusal)
    finish()
    for (const outcome of await refused) assert.deepEqual(outcome, { status: "rejected", reason: refusal })
    flushes.shift()?.done()
    await flushing
    await commits.idle()
    commits.resume()
  }
})

test("work that commits by itself may add more of it", async () => {
  const { commits, take } = openCommits()
  let inner: Promise<void> | undefined
  await commits.alone(async () => {
    inner = commits.alone(async () => undefined)
  })
  await inner
  await commits.idle()
  const alone = ["commit", "written", "durable"]
  assert.deepEqual(take(), [...alone, "durable", ...alone])
})

test("the queue is idle only once the last flush has ended, also after a refusal", async () => {
  const { commits, add, state, flushes } = openCommits()
  state.isHeld = true
  const flushing = assert.rejects(add("a"), OutcomeUnknown)
  await turns()
  commits.refuse(new StoreUnavailable("the disk does not respond"))
  await flushing
  let isIdle = false
  const idle = commits.idle().then(() => (isIdle = true))
  await turns()
  assert.equal(isIdle, false)
  flushes.shift()?.done()
  await idle
})
