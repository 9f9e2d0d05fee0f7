import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { startReceiver } from "../../../../test/harness/receiver.ts"
import { expect, type TaskVerdict } from "../../../examiner/verdict.ts"
import { runExam } from "./run-exam.ts"
import { practice, resultOf, type Task } from "./task.ts"

/** Says what it was given. */
const echo = ["-c", 'while read -r given; do echo "{\\"result\\":$given}"; done']

/** A service whose sandboxes recorded these requests. */
async function openService(recorded: readonly object[] = []) {
  const receiver = await startReceiver()
  const calls: string[] = []
  receiver.respond(({ method, url = "" }, response) => {
    calls.push(`${method} ${url.replace(/exam-[0-9a-f-]{36}/, "NAME")}`)
    const value = url.endsWith("/keys") ? { id: 2, secret: "sk_2" } : method === "GET" ? recorded : {}
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
  })
  return { ...receiver, calls }
}

async function examined(url: string, tasks: Task[], signal = new AbortController().signal, args = echo) {
  const reports: [TaskVerdict, number][] = []
  const chapters = [
    { name: "first", tasks: tasks.slice(0, 1) },
    { name: "second", tasks: tasks.slice(1) },
  ]
  const adapter = { command: "/bin/sh", args, environment: {} }
  const verdicts = await runExam({ url, adapter, chapters, signal }, (verdict, done) => reports.push([verdict, done]))
  return { verdicts, reports }
}

test("a task is examined in a sandbox of its own, with a key for the client, which is removed", async () => {
  await using service = await openService([{ id: 1, caller: "key 1" }, { id: 2, caller: "key 2" }, { id: 3 }])
  const task: Task = {
    name: "one",
    expects: "something",
    source: practice,
    seed: "empty",
    async examine({ ask, sandbox, petstore }) {
      assert.match(sandbox.url, /\/s\/exam-[0-9a-f-]{36}$/)
      const acted = await ask("readPet", { id: 1 })
      const { url, ...given } = resultOf(acted) as Record<string, unknown>
      assert.equal(url, `${sandbox.url}/api/v3`)
      assert.deepEqual(given, { task: "one", key: "sk_2", timeoutSeconds: 2, do: "readPet", input: { id: 1 } })
      assert.deepEqual(
        acted.requests.map(({ id }) => id),
        [3, 2],
      )
      assert.deepEqual((resultOf(await ask("listPets")) as { input: object }).input, {})
      await petstore.getInventory()
    },
  }
  const { verdicts, reports } = await examined(service.url, [task])
  const passed = { chapter: "first", name: "one", expects: "something", source: practice, outcome: "passed" }
  assert.deepEqual([verdicts, reports], [[passed], [[passed, 1]]])
  const asked = ["DELETE /s/NAME/api/v3/sandbox/requests", "GET /s/NAME/api/v3/sandbox/requests?limit=1000"]
  assert.deepEqual(service.calls, [
    "POST /s/NAME/api/v3/sandbox/reset?seed=empty",
    "POST /s/NAME/api/v3/keys",
    ...asked,
    ...asked,
    "GET /s/NAME/api/v3/store/inventory",
    "DELETE /api/v3/sandboxes/NAME",
  ])
  const { body, headers } = service.received.find(({ path }) => path.endsWith("/keys")) ?? assert.fail()
  assert.deepEqual(JSON.parse(body), { name: "examined", scopes: ["read:pets", "write:pets"] })
  assert.equal(headers.api_key, "special-key")
})

test("what was missed has the requests of the client, the first ten with what distinguishes them (slow)", async () => {
  const recorded = Array.from({ length: 12 }, (_, n) => ({
    id: n,
    time: new Date(Date.UTC(2026, 0, 1) + n * 10).toISOString(),
    method: "POST",
    path: `/api/v3/pet/${n}`,
    ...(n !== 2 && { status: 200 + n }),
    ...(n === 2 && { fault: "wait=2" }),
    request: { headers: n === 3 ? { "idempotency-key": "k", "if-match": '"e"', accept: "x" } : {} },
  }))
  const missing = (name: string, actions: number): Task => ({
    name,
    expects: "more",
    source: practice,
    examine: async ({ ask }) => {
      for (let n = 0; n < actions; n++) await ask("addPet")
      expect(false, "nothing")
    },
  })
  const observed = async (count: number, actions = 1) => {
    await using service = await openService(recorded.slice(0, count).reverse())
    return (await examined(service.url, [missing("one", actions)])).verdicts[0]
  }
  const line = (n: number) => `+${n * 10} ms POST /api/v3/pet/${n} ${200 + n}`
  const lines = [
    line(0),
    line(1),
    "+20 ms POST /api/v3/pet/2 no response, wait=2",
    `${line(3)}, idempotency-key: k, if-match: "e"`,
    ...[4, 5, 6, 7, 8, 9].map(line),
  ]
  const { requests, outcome } = (await observed(10)) ?? assert.fail()
  assert.deepEqual([outcome, requests], ["missed", lines])
  assert.deepEqual((await observed(12))?.requests, [...lines, "and 2 more"])
  assert.deepEqual((await observed(1, 2))?.requests, [line(0), line(0)])
  assert.equal((await observed(0))?.requests, undefined)
})

test("four tasks are examined at once, timed ones alone after the others, and verdicts are in their order", async () => {
  await using service = await openService()
  let running = 0
  let runningMax = 0
  const gate = Promise.withResolvers<void>()
  const waiting = (name: string): Task => ({
    name,
    expects: "",
    source: practice,
    async examine() {
      runningMax = Math.max(runningMax, ++running)
      if (running === 4) void setImmediate().then(gate.resolve)
      await gate.promise
      running -= 1
    },
  })
  const timed = (name: string): Task => ({
    name,
    expects: "",
    source: practice,
    isTimed: true,
    async examine() {
      assert.equal(running++, 0)
      await setImmediate()
      running -= 1
    },
  })
  const tasks = [timed("t1"), waiting("a"), waiting("b"), timed("t2"), waiting("c"), waiting("d"), waiting("e")]
  const { verdicts, reports } = await examined(service.url, tasks)
  assert.deepEqual(
    verdicts.map(({ name }) => name),
    tasks.map(({ name }) => name),
  )
  assert.equal(runningMax, 4)
  assert.ok(service.calls.includes("POST /s/NAME/api/v3/sandbox/reset?seed=classic"))
  assert.deepEqual(
    reports.map(([{ name }, done]) => [name.startsWith("t"), done]),
    [1, 2, 3, 4, 5, 6, 7].map((n) => [n > 5, n]),
  )
})

test("an interrupted exam starts no further task and rejects, and so does a service that fails", async () => {
  await using service = await openService()
  const ending = new AbortController()
  const names: string[] = []
  const tasks = Array.from(
    { length: 9 },
    (_, n): Task => ({
      name: `task ${n}`,
      expects: "",
      source: practice,
      async examine() {
        names.push(`task ${n}`)
        ending.abort(new Error("interrupted"))
      },
    }),
  )
  await assert.rejects(examined(service.url, tasks, ending.signal), new Error("interrupted"))
  assert.ok(names.length <= 4, names.join())
  service.respond((_request, response) => void response.writeHead(403).end())
  await assert.rejects(examined(service.url, tasks.slice(0, 1)), { status: 403 })
})

test("a task that needs what the client lacks is not claimed, and what the adapter says before may be anything", async () => {
  await using service = await openService([{ id: 2, time: "2026-01-01T00:00:00.000Z", durationMs: 1 }])
  const asking = (name: string, needs?: "retries" | "keys"): Task => ({
    name,
    expects: "",
    source: practice,
    ...(needs && { needs }),
    examine: async ({ ask }) => void (await ask("readPet")),
  })
  const outcomesAfter = async (described: string) => {
    const args = ["-c", `while read -r given; do echo '${described}'; done`]
    const tasks = [asking("a", "retries"), asking("b", "keys"), asking("c")]
    const { verdicts } = await examined(service.url, tasks, undefined, args)
    return verdicts.map(({ outcome, observed }) => (outcome === "passed" ? outcome : observed))
  }
  const lacking = '{"result":{"options":"none","lacks":["retries","x"]}}'
  assert.deepEqual(await outcomesAfter(lacking), ["the client has no retries", "passed", "passed"])
  for (const said of ["null", '"done"', '{"lacks":"retries"}'])
    assert.deepEqual(await outcomesAfter(`{"result":${said}}`), ["passed", "passed", "passed"], said)
  const failed = "the adapter failed: no pets"
  assert.deepEqual(await outcomesAfter('{"failed":"no pets"}'), [failed, failed, failed])
})

test("a client that sends nothing has missed, and what a slow service spoiled is not measured", async () => {
  const time = "2026-01-01T00:00:00.000Z"
  const request = { id: 2, time, durationMs: 1001, method: "GET", path: "/pet/1", request: { headers: {} } }
  const verdictFor = async (recorded: object[], isFine = false) => {
    await using service = await openService(recorded)
    const task: Task = {
      name: "one",
      expects: "",
      source: practice,
      async examine({ ask }) {
        await ask("readPet")
        expect(isFine, "something else")
      },
    }
    const { verdicts } = await examined(service.url, [task])
    return [verdicts[0]?.outcome, verdicts[0]?.observed]
  }
  const [outcome, observed = ""] = await verdictFor([])
  assert.equal(outcome, "missed")
  assert.match(observed, /^no request was sent, and said was \{"result":/)
  assert.deepEqual(await verdictFor([request]), ["unmeasured", "the service took 1001 ms for GET /pet/1"])
  assert.deepEqual(await verdictFor([request], true), ["passed", undefined])
  for (const quick of [
    { ...request, durationMs: 1000 },
    { ...request, fault: "wait=2, code=503" },
  ])
    assert.deepEqual(await verdictFor([quick]), ["missed", "something else"])
})
