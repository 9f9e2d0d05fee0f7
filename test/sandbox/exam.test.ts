import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { chapters } from "../../src/parts/sandbox/exam/chapters.ts"
import { serverUrl } from "../harness/database.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

describe("the exam without an adapter", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  let count = 0

  /** A new sandbox: its exam, and a client with its key. */
  function newExam() {
    const sandbox = createSandboxClient({ url: petstore.url, name: `examined-${++count}` })
    const send = async (path: string, init: RequestInit = {}) => {
      const headers = { api_key: "special-key", "content-type": "application/json", ...init.headers }
      const { status } = await fetch(`${sandbox.url}/api/v3${path}`, { ...init, headers })
      return status
    }
    const start = async (task: string, step = 1) =>
      (await sandbox.startExamTask({ params: { task }, query: { step } })).value
    const verdict = async (task: string) => {
      const { tasks } = (await sandbox.getExam()).value
      const { outcome, observed } = tasks.find(({ name }) => name === task) ?? assert.fail(task)
      return { outcome, observed }
    }
    const outcome = async (task: string) => (await verdict(task)).outcome
    return { sandbox, send, start, verdict, outcome }
  }

  test("a task is open, then passed or missed by what was sent, and can be started again", async () => {
    const { send, start, verdict, outcome } = newExam()
    const { url, key, task, step } = await start("waits-in-seconds")
    assert.deepEqual({ key, task, step }, { key: "special-key", task: "waits-in-seconds", step: 1 })
    assert.match(url, /\/s\/examined-\d+\/api\/v3$/)
    assert.equal(await outcome("waits-in-seconds"), "open")
    assert.equal(await send("/pet/1"), 429)
    assert.equal((await verdict("waits-in-seconds")).observed, "the request was not repeated")
    petstore.clock.advance(100)
    assert.equal(await send("/pet/1"), 200)
    const { outcome: missed, observed = "" } = await verdict("waits-in-seconds")
    assert.equal(missed, "missed")
    assert.match(observed, /^after Retry-After: 1 the request was repeated \d+ ms too early$/)

    await start("waits-in-seconds")
    for (const [path, ms] of [
      ["/pet/1", 1500],
      ["/pet/2", 4500],
    ] as const) {
      assert.equal(await send(path), 429)
      petstore.clock.advance(ms)
      assert.equal(await outcome("waits-in-seconds"), "open")
      assert.equal(await send(path), 200)
    }
    assert.deepEqual(await verdict("waits-in-seconds"), { outcome: "passed", observed: undefined })
  })

  test("what must not be repeated is passed after ten quiet seconds, and what was not repeated missed", async () => {
    const { send, start, outcome } = newExam()
    await start("leaves-404")
    assert.equal(await send("/pet/999999"), 404)
    assert.equal(await outcome("leaves-404"), "open")
    petstore.clock.advance(10_100)
    assert.equal(await outcome("leaves-404"), "passed")
    await start("repeats-after-503")
    assert.equal(await outcome("leaves-404"), "passed", "the verdict of the task before remains")
    assert.equal(await send("/pet/1"), 503)
    petstore.clock.advance(10_100)
    assert.equal(await outcome("repeats-after-503"), "missed")
  })

  test("the state of the store is judged, with what other tasks left removed", async () => {
    const { send, start, outcome } = newExam()
    const rex = { method: "POST", body: JSON.stringify({ name: "Rex", photoUrls: [] }) }
    const task = "takes-another-key-for-another-pet"
    await start(task)
    await send("/pet", rex)
    assert.equal(await outcome(task), "unclaimed", "a client without keys")
    await start(task)
    for (const [key, expected] of [
      ["a", "open"],
      ["a", "open"],
      ["b", "passed"],
    ] as const) {
      await send("/pet", { ...rex, headers: { "idempotency-key": key } })
      assert.equal(await outcome(task), expected)
    }
    await start("sends-if-match")
    const renamed = JSON.stringify({ id: 1, name: "Rex", photoUrls: [] })
    assert.equal(await send("/pet", { method: "PUT", body: renamed }), 200)
    assert.equal(await outcome("sends-if-match"), "missed")
  })

  test("a step in between changes what the client meets: its token expires, and another one is judged", async () => {
    const { sandbox, start, outcome } = newExam()
    const read = async (id: number, token?: string) => {
      const authorization = `Basic ${btoa("sample-client-id:sample-client-secret")}`
      const body = new URLSearchParams({ grant_type: "client_credentials" })
      const issued = await fetch(`${sandbox.url}/oauth/token`, { method: "POST", headers: { authorization }, body })
      const { access_token } = (await issued.json()) as { access_token: string }
      const used = token ?? access_token
      const headers = { authorization: `Bearer ${used}` }
      const { status } = await fetch(`${sandbox.url}/api/v3/pet/${id}`, { headers })
      return { status, token: used }
    }
    await start("replaces-an-expired-token")
    const { status, token } = await read(1)
    assert.equal(status, 200)
    assert.equal((await start("replaces-an-expired-token", 2)).step, 2)
    assert.equal((await read(2, token)).status, 401)
    assert.equal(await outcome("replaces-an-expired-token"), "open")
    await read(2)
    assert.equal(await outcome("replaces-an-expired-token"), "passed")
  })

  test("requests to the sandbox itself are not the client's, and a reset ends the task", async () => {
    const { sandbox, send, start, outcome } = newExam()
    await start("leaves-404")
    await sandbox.getClock()
    await sandbox.getFaults()
    assert.equal(await outcome("leaves-404"), "open")
    await send("/pet/999999")
    await sandbox.resetSandbox()
    const { value } = await sandbox.getExam()
    assert.equal(value.task, undefined)
    assert.equal(await outcome("leaves-404"), "open")
    assert.equal(await send("/pet/1"), 200)
  })

  test("two tasks started at the same time leave one, with its rules", async () => {
    const { sandbox, send, start } = newExam()
    await Promise.all([start("waits-in-seconds"), start("repeats-after-bad-gateway")])
    const { task } = (await sandbox.getExam()).value
    assert.equal(await send("/pet/1"), task === "waits-in-seconds" ? 429 : 502)
  })

  test("a task that needs an adapter is not judged; unknown ones, further steps, and the service's own sandbox are refused", async () => {
    const { sandbox, start } = newExam()
    const { tasks } = await start("gives-up")
    const all = chapters.flatMap((chapter) => chapter.tasks)
    assert.deepEqual(
      tasks.map(({ name, outcome, steps }) => [name, outcome === "unjudged", steps === undefined]),
      all.map((task) => [task.name, !("steps" in task), !("steps" in task)]),
    )
    assert.deepEqual(tasks.find(({ name }) => name === "gives-up")?.steps, ["Read pet 1: GET /pet/1."])
    await assert.rejects(start("accepts-a-message"), refusedAs("not-found"))
    await assert.rejects(start("gives-upp"), /did you mean gives-up\?/)
    await assert.rejects(start("gives-up", 2), refusedAs("not-found"))
    await assert.rejects(start("replaces-it-once", 2), refusedAs("not-found"))
    const own = createSandboxClient({ url: petstore.url })
    await assert.rejects(
      own.startExamTask({ params: { task: "gives-up" }, query: {} }),
      refusedAs("named-sandbox-required"),
    )
    assert.equal((await sandbox.getExam()).value.task, "gives-up")
  })
})
