import type { TestContext } from "node:test"
import pino from "pino"
import type { StoreApi } from "../../src/api/operations/api.ts"
import { NamedSandboxes } from "../../src/api/sandbox/named.ts"
import type { MakeSandbox, Making, NamedSandbox } from "../../src/api/sandbox/sandbox-entry.ts"
import { mountOf } from "../../src/api/sandbox/selected-name.ts"
import { json } from "../../src/kernel/json/json.ts"
import { Problem } from "../../src/kernel/problem.ts"
import { createRouter } from "../../src/server/exchange/router.ts"
import { manualClock } from "./clock.ts"
import { exchangeOf } from "./exchange.ts"

type State = {
  refusesWrites: string | undefined
  /** Whether none can be opened. */
  isBroken: boolean
  /** Whether the service is overloaded. */
  isFull: boolean
  file: Awaited<ReturnType<NamedSandbox["save"]>>
  events: string[]
  makings: Making[]
  /** Bytes by name; 10 for the others. */
  sizes: Map<string, number>
}

/** Makes sandboxes without data; closing the one named `stuck` fails. */
const maker =
  (state: State, kind: string): MakeSandbox =>
  async (making) => {
    if (state.isBroken) throw new Error("broken")
    const { name } = making
    state.makings.push(making)
    state.events.push(`${kind} ${name}`)
    return {
      router: createRouter(),
      mount: mountOf(name),
      api: { name } as unknown as StoreApi,
      save: async () => state.file,
      readClock: () => ({ time: "2026-01-01T00:00:00.000Z", aheadSeconds: 0, frozen: false }),
      bytes: () => state.sizes.get(name) ?? 10,
      copy: maker(state, `copy of ${name}:`),
      drain: async () => void state.events.push(`drain ${name}`),
      close: async () => {
        state.events.push(`close ${name}`)
        if (name === "stuck") throw new Error("stuck")
      },
    }
  }

type Http = ConstructorParameters<typeof NamedSandboxes>[0]["http"]

function httpOf(state: State): Http {
  const http = {
    load: {
      requireCapacity() {
        if (state.isFull) throw new Problem("overloaded", "")
      },
    },
    limitAddress: async (kind: string) => void state.events.push(`limit ${kind}`),
    publicUrl: () => "https://a.example",
  }
  return http as unknown as Http
}

type Given = { unavailableReason?: string; keys?: { secret: string }[] }

/** Named sandboxes without data, of which there are few and small ones, requests to them, and what happened. */
export function houseOf({ mock }: TestContext, { unavailableReason, keys }: Given = {}) {
  mock.timers.enable({ apis: ["setInterval"] })
  const clock = manualClock()
  const file = json({ data: {} as never })
  const noted = { events: [] as string[], makings: [] as Making[], sizes: new Map<string, number>() }
  const state: State = { refusesWrites: undefined, isBroken: false, isFull: false, file, ...noted }
  const sandboxes = new NamedSandboxes({
    open: maker(state, "open"),
    unavailableReason,
    keys,
    http: httpOf(state),
    clock,
    steady: clock.steady,
    exempt: ["198.51.100.0/24"],
    log: pino({ base: null }, { write: (line) => void state.events.push((JSON.parse(line) as { msg: string }).msg) }),
    bounds: { max: 5, ofAddressMax: 2, ofExemptMax: 3, bytesMax: 100, idleMs: 180_000 },
    refusesWrites: () => state.refusesWrites,
  })
  async function enter(url: string, { method = "GET", headers = {}, address = "192.0.2.1" } = {}) {
    const exchange = exchangeOf(url, { method, headers, address })
    try {
      const router = await sandboxes.enter(exchange)
      return { exchange, outcome: router ? exchange.mount.prefix : undefined }
    } catch (error) {
      if (error instanceof Problem) return { exchange, outcome: error.code }
      throw error
    }
  }
  async function visit(...args: Parameters<typeof enter>) {
    const { exchange, outcome } = await enter(...args)
    exchange.response.emit("close")
    return outcome
  }
  const names = () => sandboxes.list().map(({ name }) => name)
  const sweep = (ms: number) => {
    clock.advance(ms)
    mock.timers.tick(60_000)
  }
  return { sandboxes, clock, ...noted, state, enter, visit, names, sweep }
}
