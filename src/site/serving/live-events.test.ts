import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { Console } from "./console.ts"
import { liveEvents, liveRequests } from "./live-events.ts"

const nothing = { status: 204, headers: ["cache-control", "no-store"], body: undefined }

/** The console of a person with these scopes, or of none, and the streams that it opens. */
function open(scopes: readonly string[] | undefined) {
  const opened: object[] = []
  const started: unknown[] = []
  const endpoint = { method: "GET", path: "/events/stream", scope: "manage:webhooks", cost: 1 }
  const streamEvents = {
    name: "streamEvents",
    endpoint,
    readParameters: () => "parameters",
    async startStream(by: { request: { headers: object } }, parameters: unknown) {
      started.push([by.request.headers, parameters])
      return { after: "start" }
    },
  }
  const streams = { open: async (_exchange: unknown, stream: object) => void opened.push(stream) }
  const request = { headers: { "last-event-id": "evt" } }
  const caller = { account: { id: 7 }, scopes: new Set(scopes) }
  const console = {
    api: { invocables: [{ name: "other" }, streamEvents], streams, takeFromPlan: async () => {} },
    sandbox: {
      streamRequests: async (_exchange: unknown, _person: unknown, name: unknown) => void opened.push({ name }),
    },
    findPerson: async () => scopes && { caller, token: "session", request },
  } as unknown as Console
  return { console, opened, started }
}

test("a person who may see events follows them with the session, and pays for each page of earlier ones", async () => {
  const { console, opened, started } = open(["manage:webhooks"])
  assert.equal(await liveEvents(console)(exchangeOf("/console/events/stream")), undefined)
  assert.deepEqual(started, [[{ "last-event-id": "evt", authorization: "Bearer session" }, "parameters"]])
  const [{ holder, replay, after }] = opened as [{ holder: object; replay: { isFirstPaid: boolean }; after: string }]
  assert.deepEqual([holder, replay.isFirstPaid, after], [{ kind: "account", id: 7 }, false, "start"])
})

test("other people get no stream of events or requests, and their browsers do not ask again", async () => {
  for (const scopes of [undefined, ["read:pets"]]) {
    const { console, opened } = open(scopes)
    assert.deepEqual(await liveEvents(console)(exchangeOf("/console/events/stream")), nothing)
    assert.deepEqual(await liveRequests(console)(exchangeOf("/console/requests/stream")), nothing)
    assert.deepEqual(opened, [])
  }
  const admin = open(["admin"])
  const exchange = exchangeOf("/console/sandbox/mine/requests/stream")
  Object.assign(exchange.params, { name: "mine" })
  await liveRequests(admin.console)(exchange)
  assert.deepEqual(admin.opened, [{ name: "mine" }])
})
