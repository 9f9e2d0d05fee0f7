import assert from "node:assert/strict"
import { test } from "node:test"
import { everyAccount } from "../domain/accounts/model.ts"
import { type ResetDeps, sandboxReset } from "./reset.ts"

function resetting({ tables, fails = false }: { tables?: []; fails?: boolean } = {}) {
  const events: string[] = []
  const origin = {
    put: async (profile: string) => void events.push(`origin ${profile}`),
    publicUrl: async () => "https://a.example",
    lock: async () => {},
    putPublicUrl: async (url: string) => void events.push(`moved to ${url}`),
  }
  const tx = {
    origin,
    oauthClients: { byClientId: async () => ({}), put: async () => void events.push("client") },
    pets: { list: async () => ({ json: "[]", next: undefined }) },
  }
  const store = {
    ...tx,
    transaction: (work: (inside: object) => Promise<unknown>) => work(tx),
    async startOver(work: (inside: object) => Promise<unknown>, given: unknown) {
      events.push(`start over${given ? " with tables" : ""}`)
      await work(tx)
    },
  }
  const deps = {
    store,
    seeds: async (seed: string) => ({
      fill: async (_: object, url: string) => {
        if (fails) throw new Error("failed")
        events.push(`fill ${seed} at ${url}`)
      },
      ...(tables && { tables }),
    }),
    signals: { announce: async ({ accountId }: { accountId: number }) => void events.push(`announce ${accountId}`) },
    counters: { forget: async () => void events.push("forget") },
    worker: {
      async pause() {
        events.push("pause")
        return () => void events.push("resume")
      },
    },
    publicUrl: () => "https://a.example",
    journal: { clear: () => void events.push("clear") },
    time: {
      async fromStart(work: () => Promise<void>) {
        events.push("from start")
        await work()
      },
    },
  }
  const reset = sandboxReset(deps as unknown as ResetDeps)
  const withoutTime = sandboxReset({ ...deps, time: undefined } as unknown as ResetDeps)
  return { reset, withoutTime, events }
}

test("a reset fills an empty store while deliveries pause, and drops what belongs to the old data", async () => {
  const { reset, withoutTime, events } = resetting()
  const work = [
    ...["pause", "forget", "start over", "origin sandbox", "fill shelter at https://a.example", "client"],
    ...["forget", `announce ${everyAccount}`, "clear", "resume"],
  ]
  await reset("shelter")
  assert.deepEqual(events.splice(0), ["from start", ...work])
  await withoutTime("shelter")
  assert.deepEqual(events, work)
})

test("the tables of a file have an origin, and are moved to the address here", async () => {
  const { reset, events } = resetting({ tables: [] })
  await reset("initial")
  assert.ok(events.includes("start over with tables") && events.includes("moved to https://a.example"))
  assert.ok(!events.includes("origin sandbox"))
})

test("deliveries are resumed when a reset fails", async () => {
  const { reset, events } = resetting({ fails: true })
  await assert.rejects(reset("empty"), /failed/)
  assert.equal(events.at(-1), "resume")
})
