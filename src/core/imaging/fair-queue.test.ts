import assert from "node:assert/strict"
import { test } from "node:test"
import { fairQueue } from "./fair-queue.ts"

/** Slots with a simulated clock; `finish` ends the named work after a number of milliseconds. */
function fairSlots(atOnce: number, waitingMax = 100) {
  let time = 0
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const { run, waiting } = fairQueue({ atOnce, waitingMax }, () => time)
  const settled = () => new Promise(setImmediate)
  return {
    started,
    run,
    waiting,
    async ask(accountId: number, name: string) {
      const done = run(accountId, async () => {
        started.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      })
      done.catch(() => undefined)
      await settled()
      return done
    },
    async finish(name: string, ms: number) {
      time += ms
      ends.get(name)?.()
      await settled()
    },
    settled,
  }
}

test("one account never takes all slots, so that of another starts immediately", async () => {
  const { ask, started, settled } = fairSlots(2)
  for (const name of ["a1", "a2", "a3"]) void ask(1, name)
  void ask(2, "b1")
  await settled()
  assert.deepEqual(started, ["a1", "b1"])
})

test("the account that has used less time is next, however many jobs of others wait", async () => {
  const { ask, started, finish, settled } = fairSlots(2)
  for (const account of [1, 2]) for (const name of ["1", "2", "3"]) void ask(account, `${account}.${name}`)
  await settled()
  void ask(3, "3.1")
  void ask(3, "3.2")
  await finish("1.1", 10_000)
  await finish("3.1", 100)
  assert.deepEqual(started, ["1.1", "2.1", "3.1", "3.2"])
  await finish("2.1", 100)
  assert.equal(started.at(-1), "1.2")
})

test("an account with too many waiting jobs is refused, and others are not", async () => {
  const { ask, started, finish } = fairSlots(1, 2)
  for (const name of ["a1", "a2", "a3"]) void ask(1, name)
  await assert.rejects(() => ask(1, "a4"), { code: "unavailable" })
  void ask(2, "b1")
  await finish("a1", 5)
  assert.deepEqual(started, ["a1", "b1"])
})

test("an account that comes later starts with the time of the account that used the least", async () => {
  const { ask, started, finish, waiting } = fairSlots(2)
  for (const name of ["1.1", "2.1", "1.2", "3.1", "3.2"]) void ask(Number(name[0]), name)
  assert.equal(waiting(), 3)
  await finish("1.1", 1000)
  await finish("3.1", 20)
  assert.deepEqual(started, ["1.1", "2.1", "3.1", "3.2"])
})

test("use of the slots is forgotten when all are free, and among equals the longest wait decides", async () => {
  const { ask, started, finish } = fairSlots(1)
  void ask(1, "1.1")
  await finish("1.1", 10_000)
  for (const name of ["2.1", "1.2", "3.1"]) void ask(Number(name[0]), name)
  await finish("2.1", 5)
  await finish("1.2", 5)
  assert.deepEqual(started, ["1.1", "2.1", "1.2", "3.1"])
})

test("work that fails frees its slot", async () => {
  const { run, waiting } = fairSlots(1)
  const failing = run(1, () => Promise.reject(new Error("no")))
  assert.equal(
    await Promise.race([
      run(1, async () => "next"),
      failing.then(
        () => "none",
        () => new Promise(() => {}),
      ),
    ]),
    "next",
  )
  await assert.rejects(failing, /no/)
  assert.equal(waiting(), 0)
})
