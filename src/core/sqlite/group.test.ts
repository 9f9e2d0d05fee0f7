import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import fc from "fast-check"
import { type Group, GroupTransaction } from "./group.ts"

type Kind = "writes" | "reads" | "refuses" | "writes and fails"

/** A table of texts, and jobs that add their name to it; records the result of each. */
function openJobs() {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE names (name TEXT NOT NULL)")
  const transaction = new GroupTransaction(db, () => {})
  const runs: string[] = []
  const told: string[] = []
  const insert = db.prepare("INSERT INTO names (name) VALUES (?)")
  const job = (name: string, kind: Kind) => ({
    async work() {
      runs.push(name)
      if (kind.startsWith("writes")) {
        insert.run(name)
        transaction.noteWritten(1)
        transaction.noteChange(kind === "writes" ? "event-added" : "delivery-due")
      }
      await undefined
      if (kind.endsWith("fails") || kind === "refuses") throw new Error("no")
    },
    resolve: () => void told.push(`${name} done`),
    reject: (error: unknown) => void told.push(`${name} ${(error as Error).message}`),
  })
  async function commit(...kinds: readonly Kind[]): Promise<Group> {
    const group = transaction.newGroup()
    transaction.begin()
    for (const [n, kind] of kinds.entries()) {
      const next = job(String(n), kind)
      group.jobs.push(next)
      await transaction.run([next], group)
    }
    transaction.commit()
    for (const notify of group.results) notify()
    return group
  }
  const names = () =>
    db
      .prepare("SELECT name FROM names ORDER BY rowid")
      .all()
      .map(({ name }) => name)
  return { commit, names, runs, told, [Symbol.dispose]: () => db.close() }
}

test("a failed job is rolled back alone: the others of its group run again, and each result is delivered once", async () => {
  using jobs = openJobs()
  const group = await jobs.commit("writes", "reads", "writes and fails", "writes")
  assert.deepEqual(jobs.names(), ["0", "3"])
  assert.deepEqual(jobs.told, ["0 done", "1 done", "2 no", "3 done"])
  assert.deepEqual(jobs.runs, ["0", "1", "2", "0", "1", "2", "3"])
  assert.deepEqual([...group.changes], ["event-added"])
  assert.deepEqual([group.isCommitted, group.isWritten], [false, false], "who commits it says so")
})

test("a group of any size runs again whole when its last job fails", async () => {
  for (let size = 1; size < 64; size++) {
    using jobs = openJobs()
    const names = Array.from({ length: size }, (_, n) => String(n))
    await jobs.commit(...names.map((): Kind => "writes"), "writes and fails")
    assert.deepEqual(jobs.names(), names)
    assert.deepEqual(jobs.told, [...names.map((name) => `${name} done`), `${size} no`])
  }
})

test("no job runs again because of one that was refused before it wrote anything", async () => {
  using jobs = openJobs()
  await jobs.commit("writes", "refuses", "writes")
  assert.deepEqual({ names: jobs.names(), runs: jobs.runs }, { names: ["0", "2"], runs: ["0", "1", "2"] })
})

test("after a group that ran again the next 64 have savepoints, so that nothing in them runs twice", async () => {
  using jobs = openJobs()
  const countRuns = async () => {
    jobs.runs.length = 0
    await jobs.commit("writes", "writes and fails")
    return jobs.runs.length
  }
  assert.equal(await countRuns(), 4)
  for (let n = 0; n < 64; n++) assert.equal(await countRuns(), 2)
  assert.equal(await countRuns(), 4)
  assert.equal(jobs.names().length, 66)
})

test("with any failures, the writes of successful jobs are stored in order and once", async () => {
  // Few fail after a write, so that many groups have run for long when the first one does.
  const kind = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom<Kind>("writes", "reads", "refuses") },
    { weight: 1, arbitrary: fc.constant<Kind>("writes and fails") },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(kind, { maxLength: 64, size: "max" }), { maxLength: 3 }), async (groups) => {
      using jobs = openJobs()
      for (const kinds of groups) await jobs.commit(...kinds)
      const named = groups.flatMap((kinds) => kinds.map((kind, n) => ({ kind, name: String(n) })))
      const fails = (kind: Kind) => kind === "refuses" || kind === "writes and fails"
      assert.deepEqual(
        jobs.names(),
        named.filter(({ kind }) => kind === "writes").map(({ name }) => name),
      )
      assert.deepEqual(
        jobs.told,
        named.map(({ kind, name }) => `${name} ${fails(kind) ? "no" : "done"}`),
      )
    }),
  )
})
