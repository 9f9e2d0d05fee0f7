import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import type { Visit } from "../page.ts"
import { aftermath } from "./aftermath.ts"

const arrival = Date.parse("2026-01-01T00:00:00.000Z")
const event = (id: string, afterMs: number) => ({
  id,
  event: "pet.created",
  timestamp: new Date(arrival + afterMs).toISOString(),
})

/** What the page of a request shows of the events after it. */
async function shown(changed: Partial<RecordedRequest>, events: object[] = []) {
  const call = {
    listEvents: async () => ({ value: events }),
    listWebhooks: async () => ({ value: [] }),
    listDeliveries: async () => ({ value: [] }),
  }
  const visit = { sandbox: async () => call, params: {}, root: "/console", service: { now: () => arrival } }
  const request = { id: 1, time: new Date(arrival).toISOString(), durationMs: 10.9, method: "POST", path: "/pet" }
  const message = { headers: {} }
  const found = await aftermath(visit as unknown as Visit, {
    ...request,
    request: message,
    response: message,
    ...changed,
  })
  return (
    found && {
      title: /<h2>(.*?)<\/h2>/.exec(found.text)?.[1],
      ids: [...found.text.matchAll(/<code>(e\d)<\/code>/g)].map(([, id]) => id),
    }
  )
}

test("without an explanation, the events of a request are those from its arrival to its response", async () => {
  const events = [event("e1", -1), event("e2", 0), event("e3", 10), event("e4", 11), event("e5", 12)]
  assert.deepEqual(await shown({}, events), { title: "Events meanwhile", ids: ["e2", "e3", "e4"] })
})

test("with an explanation, they are those that the request wrote", async () => {
  const explanation = { events: [{ event: "pet.created" as const, id: "e1" }, { event: "pet.created" as const }] }
  assert.deepEqual(await shown({ explanation }, [event("e1", -1), event("e2", 0)]), { title: "Events", ids: ["e1"] })
})

test("a request that changes nothing has none, and neither has a message to a webhook", async () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) assert.equal(await shown({ method }), undefined)
  assert.equal(await shown({ webhook: 1 }), undefined)
})
