import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Seed } from "../../domain/sandbox/start/contract.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { Journals } from "../../sandbox/journal.ts"
import type { Exchange, IncomingUpload } from "../../server/exchange/exchange.ts"
import { createDefectSwitch } from "../defects/defects.ts"
import { createFaultRules } from "../faults/fault-rules.ts"
import type { Invocable } from "../operations/invoke.ts"
import { createSandboxApi } from "./sandbox-api.ts"

const ok: HttpResponse = { status: 200, headers: [], body: undefined }
const turn = () => new Promise((resolve) => setImmediate(resolve))
const operation = (name: string, endpoint: Partial<Invocable["endpoint"]> = {}) => ({ name, endpoint }) as Invocable

function sandboxApi({ hasHouse = true } = {}) {
  const events: string[] = []
  const house = { list: () => [], save: async () => undefined, remove: () => false }
  const sandbox = {
    reset: async (seed: Seed) => void events.push(`reset ${seed}`),
    prepareReset: async (seed: Seed) => void events.push(`prepare ${seed}`),
    time: { endAdvances: () => void events.push("end advances") },
    forks: undefined,
    house: hasHouse ? house : undefined,
    journal: new Journals().open({ now: () => 0 }),
    faults: createFaultRules(),
    defects: createDefectSwitch([]),
  }
  const parts = {
    store: {},
    sandbox,
    targets: new Map([["addPet", { codes: [], paths: new Set() }]]),
    plans: {},
    publicUrl: () => "https://a.example",
    readmit: async () => principalOf(9),
    respondToError: () => assert.fail("no error"),
    beforeReset: () => void events.push("before"),
    async resetAlone(reset: () => Promise<void>) {
      events.push("alone")
      await reset()
    },
  }
  const made = createSandboxApi(parts as unknown as Parameters<typeof createSandboxApi>[0])
  return { ...made, events, sandbox }
}

test("a reset ends what delays it, and returns to the first rules and defects", async () => {
  const { reset, events, sandbox } = sandboxApi()
  sandbox.defects.replace(["creation-is-201"])
  sandbox.faults.replace([{ rule: {}, operations: [], path: undefined, webhooks: undefined, requests: undefined }])
  await reset("shelter")
  assert.deepEqual(events, ["prepare shelter", "end advances", "before", "alone", "reset shelter"])
  assert.deepEqual([sandbox.defects.ids.size, sandbox.faults.read().length], [0, 0])
})

test("a reset waits for running operations, but not for a reset and for streams", async () => {
  for (const [name, endpoint, isGated] of [
    ["addPet", {}, true],
    ["resetSandbox", {}, false],
    ["streamEvents", { streams: true }, false],
  ] as const) {
    const { steps, reset, events } = sandboxApi()
    const running = Promise.withResolvers<HttpResponse>()
    const handle = steps.gate(() => running.promise, operation(name, endpoint))
    const handling = handle(exchangeOf("/"))
    const resetting = reset("empty")
    await turn()
    assert.equal(events.includes("reset empty"), !isGated, name)
    running.resolve(ok)
    assert.equal(await handling, ok)
    await resetting
    assert.ok(events.includes("reset empty"))
  }
})

test("a reset does not wait for a client that sends, whose credential is then checked again", async () => {
  for (const isReset of [true, false]) {
    const { steps, reset } = sandboxApi()
    const sent = Promise.withResolvers<string>()
    const { caller } = principalOf(7)
    const exchanges: Exchange[] = [exchangeOf("/"), exchangeOf("/")]
    if (exchanges[0]) exchanges[0].caller = caller
    const handle = steps.gate(async (exchange) => {
      assert.equal(await steps.waitForClient(sent.promise, exchange, operation("addPet")), "body")
      return ok
    }, operation("addPet"))
    const handling = exchanges.map((exchange) => handle(exchange))
    if (isReset) await reset("empty")
    sent.resolve("body")
    await Promise.all(handling)
    const callers = exchanges.map(({ caller: by }) => by?.account.id)
    assert.deepEqual(callers, [isReset ? 9 : 7, undefined])
  }
  const { steps } = sandboxApi()
  const receiving = Promise.resolve("body")
  assert.equal(steps.waitForClient(receiving, exchangeOf("/"), operation("resetSandbox")), receiving)
})

test("an upload that was sent across a reset is refused", async () => {
  for (const isReset of [true, false]) {
    const { steps, reset } = sandboxApi()
    const sent = Promise.withResolvers<object>()
    const upload = operation("uploadFile", { upload: { types: [], bytesMax: 1, fields: {} as never } })
    const handle = steps.uploads(async (exchange) => {
      await exchange.upload?.receive()
      return ok
    }, upload)
    const gated = steps.gate(handle, upload)
    const exchange = exchangeOf("/")
    exchange.upload = { receive: () => sent.promise } as unknown as IncomingUpload
    const handling = Promise.resolve(gated(exchange)).catch((error: unknown) => error)
    if (isReset) await reset("empty")
    sent.resolve({})
    const outcome = await handling
    if (!isReset) assert.equal(outcome, ok)
    else assert.ok(outcome instanceof Problem && outcome.code === "unavailable" && outcome.retryAfter === 1)
  }
  const { steps } = sandboxApi()
  const next = () => ok
  assert.equal(steps.uploads(next, operation("addPet")), next)
})

test("where there are no named sandboxes, their operations are absent", () => {
  const [all, without] = [sandboxApi(), sandboxApi({ hasHouse: false })]
  assert.deepEqual(["listSandboxes" in all.api, "resetSandbox" in all.api], [true, true])
  assert.deepEqual(["listSandboxes" in without.api, "resetSandbox" in without.api], [false, true])
  assert.deepEqual(["listSandboxes" in all.operations, "listSandboxes" in without.operations], [true, false])
})
