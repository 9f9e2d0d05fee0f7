import assert from "node:assert/strict"
import { mock, test } from "node:test"
import type { Logger } from "pino"
import { endOnFatalErrors, stopOnSignal } from "./graceful-shutdown.ts"

/** The handlers that are registered on the process, and how it was ended. */
function processOf(connected = false) {
  const handlers: Record<string, (of?: unknown) => void> = {}
  const exits: unknown[] = []
  const logged: unknown[] = []
  let now = 1_000
  const mocks = [
    mock.method(process, "on", (event: string, handle: () => void) => {
      handlers[event] = handle
    }),
    mock.method(process, "exit", (code: number) => exits.push(code)),
    mock.method(performance, "now", () => now),
  ]
  const before = Object.getOwnPropertyDescriptor(process, "connected")
  Object.defineProperty(process, "connected", { value: connected, configurable: true })
  const restore = () => {
    for (const { mock } of mocks) mock.restore()
    if (before) Object.defineProperty(process, "connected", before)
    else Reflect.deleteProperty(process, "connected")
  }
  const log = {
    info: (message: string) => logged.push(message),
    error: ({ err }: { err: Error }, message: string) => logged.push(`${message}: ${err.message}`),
    flush: (then: () => void) => then(),
  } as unknown as Logger
  const emit = (event: string, of?: unknown) => handlers[event]?.(of)
  const advance = (ms: number) => {
    now += ms
  }
  return { handlers, exits, logged, log, emit, advance, [Symbol.dispose]: restore }
}

function serviceOf(close: (deadline: AbortSignal) => Promise<void>) {
  const state = { closes: 0, isDraining: false }
  return {
    state,
    isDraining: () => state.isDraining,
    close(deadline: AbortSignal) {
      state.closes++
      state.isDraining = true
      return close(deadline)
    },
  }
}
const turn = () => new Promise(setImmediate)

test("each signal stops the service in order", async () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    using world = processOf()
    const { exits, logged, log, emit } = world
    const service = serviceOf(async (deadline) => assert.equal(deadline.aborted, false))
    stopOnSignal(service, log, 10_000)
    emit(signal)
    await turn()
    assert.deepEqual([service.state.closes, logged, exits], [1, ["draining", "stopped"], [0]])
  }
})

test("a service that cannot stop in order ends with an error", async () => {
  using world = processOf()
  const { exits, logged, log, emit } = world
  stopOnSignal(
    serviceOf(() => Promise.reject(new Error("x"))),
    log,
    10_000,
  )
  emit("SIGTERM")
  await turn()
  assert.deepEqual([logged, exits], [["draining", "could not stop in order: x"], [1]])
})

test("a second signal ends the process, unless a terminal sent it with the same keypress", () => {
  using world = processOf()
  const { exits, log, emit, advance } = world
  const service = serviceOf(() => new Promise(() => undefined))
  stopOnSignal(service, log, 10_000)
  emit("SIGINT")
  advance(500)
  emit("SIGINT")
  emit("SIGHUP")
  assert.deepEqual(exits, [])
  advance(1)
  emit("SIGINT")
  assert.deepEqual(exits, [1])
  emit("SIGTERM")
  assert.deepEqual([exits, service.state.closes], [[1, 1], 1])
})

test("a second SIGTERM ends the process at once", () => {
  using world = processOf()
  const { exits, log, emit } = world
  stopOnSignal(
    serviceOf(() => new Promise(() => undefined)),
    log,
    10_000,
  )
  emit("SIGTERM")
  emit("SIGTERM")
  assert.deepEqual(exits, [1])
})

test("a service with a parent process stops when that ends, once", async () => {
  {
    using alone = processOf()
    stopOnSignal(
      serviceOf(async () => undefined),
      alone.log,
      10_000,
    )
    assert.equal(alone.handlers.disconnect, undefined)
  }
  using world = processOf(true)
  const { log, emit } = world
  const service = serviceOf(async () => undefined)
  stopOnSignal(service, log, 10_000)
  emit("disconnect")
  emit("disconnect")
  await turn()
  assert.equal(service.state.closes, 1)
})

test("an unhandled error is logged and ends the process", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  using world = processOf()
  const { exits, logged, log, emit } = world
  endOnFatalErrors(log)
  emit("uncaughtException", new Error("x"))
  assert.deepEqual([logged, exits], [["ended by an error: x"], [1]])
})

test("an unhandled error that cannot be logged ends the process after a second", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  using world = processOf()
  const { exits, log, emit } = world
  endOnFatalErrors({ ...log, flush: () => undefined } as unknown as Logger)
  emit("uncaughtException", new Error("x"))
  t.mock.timers.tick(999)
  assert.deepEqual(exits, [])
  t.mock.timers.tick(1)
  assert.deepEqual(exits, [1])
})
