import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { RecordedRequest } from "../../src/parts/sandbox/journal/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type AskOptions, asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const rex = '{"name":"Rex","photoUrls":[]}'
const prefer = { prefer: "explain" }

describe("Prefer: explain", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  let count = 0

  /** A new sandbox, and requests to it that ask for an explanation. */
  function newSandbox() {
    const name = `explained-${++count}`
    const sandbox = createSandboxClient({ url: petstore.url, name })
    const ask = asker(sandbox, "/api/v3")
    const explained = async (path: string, { headers, ...init }: AskOptions = {}) => {
      const response = await ask(path, { ...init, headers: { ...prefer, ...headers } })
      await response.text()
      return { response, recorded: await entryOf(response) }
    }
    return { name, sandbox, ask, explained }
  }

  /** The entry that a response refers to. */
  async function entryOf({ headers }: Response): Promise<RecordedRequest> {
    assert.match(headers.get("preference-applied") ?? "", /(^|, )explain$/)
    const [, url = ""] = /<([^>]+)>; rel="describedby"$/.exec(headers.get("link") ?? "") ?? []
    const found = await fetch(url, { headers: { api_key: "special-key" } })
    assert.equal(found.status, 200, url)
    return (await found.json()) as RecordedRequest
  }

  test("the response links to its entry, which says who asked, what they may do, and what is left of the plan", async () => {
    const { name, explained } = newSandbox()
    const { response, recorded } = await explained("/pet/1", { headers: { api_key: "free-key" } })
    assert.equal(
      response.headers.get("link"),
      `<${petstore.url}/s/${name}/api/v3/sandbox/requests/1>; rel="describedby"`,
    )
    const { limits, ...explanation } = recorded.explanation ?? {}
    assert.deepEqual(explanation, {
      credential: { kind: "key", id: 3, account: 3, plan: "free" },
      requiredScope: "read:pets",
      grantedScopes: ["read:pets", "write:pets", "read:orders", "write:orders"],
      events: [],
    })
    assert.deepEqual(
      limits?.map(({ policy, quota, remaining }) => [policy, quota, remaining]),
      [
        ["minute", 60, 59],
        ["day", 1000, 999],
      ],
    )
  })

  test("a page's Link to the next one comes first", async () => {
    const { response } = await newSandbox().explained("/pet?limit=1")
    assert.match(response.headers.get("link") ?? "", /^<[^>]+cursor=[^>]+>; rel="next", <[^>]+>; rel="describedby"$/)
  })

  test("without the preference, and with another value of it, a response has no link and its entry no explanation", async () => {
    const { sandbox, ask } = newSandbox()
    for (const headers of [{}, { prefer: "explain=no" }, { prefer: "explained, wait=0" }]) {
      const response = await ask("/pet/1", { headers })
      assert.equal(response.headers.get("link"), null)
    }
    for (const { explanation } of await sandbox.requests()) assert.equal(explanation, undefined)
  })

  test("the events of a change are named as in the feed, and of a repeated request there are none", async () => {
    const { sandbox, ask, explained } = newSandbox()
    const post = { method: "POST", body: rex, headers: { "idempotency-key": "one" } }
    const { recorded } = await explained("/pet", post)
    const feed = (await (await ask("/events")).json()) as { id: string; event: string }[]
    assert.deepEqual(
      recorded.explanation?.events,
      feed.map(({ id, event }) => ({ event, id })),
    )
    assert.equal(feed.length, 1)
    assert.equal(recorded.explanation?.schema, "PetDraft")
    const repeated = await explained("/pet", post)
    assert.equal(repeated.response.headers.get("idempotency-replayed"), "true")
    assert.deepEqual(repeated.recorded.explanation?.events, [])
    const both = await explained("/pets/import", { method: "POST", body: `[${rex},${rex}]` })
    assert.deepEqual(
      both.recorded.explanation?.events.map(({ event }) => event),
      ["pet.created", "pet.created"],
    )
    assert.equal((await sandbox.requests()).length, 4)
  })

  test("a refused request is explained as far as it came: 401, 403, 404, 422, 429", async () => {
    const { explained } = newSandbox()
    const of = async (...request: Parameters<typeof explained>) => {
      const { recorded } = await explained(...request)
      const { credential, requiredScope, violations, events } = recorded.explanation ?? {}
      return [recorded.status, credential?.id, requiredScope, violations?.map(({ code }) => code), events?.length]
    }
    await explained("/pet/1")
    assert.deepEqual(await of("/pet/1", { headers: { api_key: "wrong" } }), [401, undefined, "read:pets", undefined, 0])
    assert.deepEqual(await of("/keys", { headers: { api_key: "free-key" } }), [403, 3, "manage:keys", undefined, 0])
    assert.deepEqual(await of("/pet/99"), [404, 1, "read:pets", undefined, 0])
    assert.deepEqual(await of("/nothing"), [404, 1, undefined, undefined, 0])
    const empty = { method: "POST", body: '{"name":""}' }
    assert.deepEqual(await of("/pet", empty), [422, 1, "write:pets", ["required", "blank"], 0])
    for (let n = 0; n < 59; n++) await explained("/pet/1", { headers: { api_key: "free-key" } })
    const { recorded } = await explained("/pet/1", { headers: { api_key: "free-key" } })
    assert.deepEqual([recorded.status, recorded.explanation?.limits?.[0]?.remaining], [429, 0])
  })

  test("a fault names its rule, and keeps its own preference", async () => {
    const { sandbox, explained } = newSandbox()
    const rule = { match: { operation: "getPetById", times: 1 }, fault: "code=503" }
    await sandbox.setFaults({ body: { rules: [rule] } })
    const { response, recorded } = await explained("/pet/1")
    assert.deepEqual([response.status, recorded.fault, recorded.explanation?.faultRule], [503, "code=overloaded", rule])
    const both = await explained("/pet/1", { headers: { prefer: "explain, code=404" } })
    assert.equal(both.response.headers.get("preference-applied"), "code=pet-not-found, explain")
    assert.equal(both.recorded.explanation?.faultRule, undefined)
    await explained("/pet", { method: "POST", body: rex, headers: { prefer: "fault=lose, explain" } }).catch(() => {})
    const lost = (await sandbox.requests()).at(-1)
    assert.deepEqual([lost?.fault, lost?.explanation?.events[0]?.event], ["fault=lose", "pet.created"])
  })

  test("a stream is recorded when it starts, so that its link leads to it at once", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/pet/1")
    const end = new AbortController()
    const stream = await ask("/events/stream", { headers: prefer, signal: end.signal })
    await ask("/pet/2")
    const recorded = await entryOf(stream)
    assert.deepEqual([recorded.operation, recorded.status, recorded.id], ["streamEvents", 200, 2])
    assert.equal(recorded.explanation?.requiredScope, "manage:webhooks")
    end.abort()
    await ask("/pet/3")
    assert.equal((await sandbox.requests({ operation: "streamEvents" })).length, 1)
  })

  test("requests at the same time do not mix", async () => {
    const { explained } = newSandbox()
    await explained("/pet/1")
    const keys = { "pro-key": 2, "free-key": 3, "special-key": 1 }
    const all = Object.entries(keys).flatMap(([key, id]) =>
      Array.from({ length: 5 }, async (_, n) => {
        const body = JSON.stringify({ name: `${key} ${n}`, photoUrls: [] })
        const added = await explained("/pet", { method: "POST", body, headers: { api_key: key } })
        const { request, explanation, response } = added.recorded
        assert.deepEqual([request.body, explanation?.credential?.id], [body, id])
        assert.match(response.body ?? "", new RegExp(`"${key} ${n}"`))
        return explanation?.events.map((event) => event.id) ?? []
      }),
    )
    const ids = await Promise.all(all)
    assert.deepEqual([new Set(ids.flat()).size, ids.flat().length], [15, 15])
  })

  test("it shows no credential, also where a client puts one into a name", async () => {
    const { sandbox, explained, ask } = newSandbox()
    const made = await ask("/keys", { method: "POST", body: '{"name":"own","scopes":["write:pets"]}' })
    const { secret } = (await made.json()) as { secret: string }
    const body = JSON.stringify({ name: "x", photoUrls: [], [secret]: 1 })
    const headers = { prefer: "explain, handling=strict", api_key: secret }
    const { recorded } = await explained("/pet", { method: "POST", body, headers })
    assert.deepEqual([recorded.status, recorded.explanation?.violations?.length], [422, 1])
    assert.ok(!JSON.stringify(await sandbox.requests()).includes(secret))
  })

  test("below /v2 and with the header Petstore-Sandbox it is the same; the journal itself is not explained", async () => {
    const { name, sandbox } = newSandbox()
    const headers = { ...prefer, "petstore-sandbox": name }
    const pet = await asker(petstore)("/v2/pet/1", { headers })
    assert.equal((await entryOf(pet)).explanation?.requiredScope, "read:pets")
    const journal = await asker(sandbox)("/api/v3/sandbox/requests", { headers: prefer })
    assert.deepEqual([journal.headers.get("link"), journal.headers.get("preference-applied")], [null, null])
  })
})

describe("the measured parts of a request", () => {
  const petstore = usePetstore()
  const partsOf = ({ headers }: Response) =>
    [...(headers.get("server-timing") ?? "").matchAll(/(\w+);dur=(\d+(\.\d{1,2})?)(, |$)/g)].map(([, name]) => name)

  test("every response of a sandbox has those that it passed in Server-Timing, readable by pages of any origin", async () => {
    const ask = asker(petstore)
    const all = ["auth", "operation", "total"]
    const origin = { origin: "http://page.example" }
    const limited = await ask("/api/v3/pet/1", { headers: { api_key: "free-key" } })
    assert.deepEqual(partsOf(limited), ["auth", "limits", "operation", "total"])
    const pet = await ask("/api/v3/pet/1", { headers: origin })
    assert.deepEqual(partsOf(pet), all)
    assert.equal(pet.headers.get("timing-allow-origin"), "*")
    assert.match(pet.headers.get("access-control-expose-headers") ?? "", /, Server-Timing$/)
    assert.deepEqual(partsOf(await ask("/api/v3/pet", { method: "POST", body: rex })), all)
    assert.deepEqual(partsOf(await ask("/api/v3/pet/99")), all)
    assert.deepEqual(partsOf(await ask("/api/v3/pet?limit=x")), ["auth", "total"])
    assert.deepEqual(partsOf(await ask("/api/v3/pet/1", { headers: { api_key: "wrong" } })), ["auth", "total"])
    for (const path of ["/api/v3/nothing", "/readyz", "/docs", "/images/none"])
      assert.deepEqual(partsOf(await ask(path)), ["total"], path)
    const stream = await ask("/api/v3/events/stream")
    assert.deepEqual(partsOf(stream), ["auth", "total"])
    await stream.body?.cancel()
  })

  test("responses of the authorization server have the total", async () => {
    const response = await asker(petstore)("/oauth/jwks")
    assert.equal(response.status, 200)
    assert.deepEqual(partsOf(response), ["total"])
    assert.deepEqual(partsOf(await asker(petstore)("/oauth/token", { method: "POST" })), ["total"])
  })

  test("the service itself explains a request with the event that it wrote, on SQLite with its id", async () => {
    const response = await asker(petstore)("/api/v3/pet", { method: "POST", body: rex, headers: prefer })
    const [, url = ""] = /<([^>]+)>; rel="describedby"$/.exec(response.headers.get("link") ?? "") ?? []
    const headers = { api_key: "special-key" }
    const { explanation } = (await (await fetch(url, { headers })).json()) as RecordedRequest
    const [written] = explanation?.events ?? []
    assert.equal(written?.event, "pet.created")
    // On PostgreSQL it is in the feed a moment later.
    if (serverUrl === undefined) assert.match(written?.id ?? "", /^evt_/)
  })

  test("the total is no less than its parts", async () => {
    const { headers } = await asker(petstore)("/api/v3/pet", { method: "POST", body: rex })
    const durations = [...(headers.get("server-timing") ?? "").matchAll(/dur=([\d.]+)/g)].map(([, ms]) => Number(ms))
    const total = durations.pop() ?? 0
    assert.ok(durations.reduce((sum, ms) => sum + ms, 0) <= total + 0.03, String(headers.get("server-timing")))
  })

  test("production has neither, and ignores the preference", async () => {
    const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
    await using production = await startPetstore({ env })
    const headers = { ...prefer, api_key: production.firstKey ?? "", origin: "http://page.example" }
    const { status, headers: sent } = await asker(production)("/api/v3/pet", { headers })
    assert.equal(status, 200)
    for (const name of ["server-timing", "timing-allow-origin", "link", "preference-applied"])
      assert.equal(sent.get(name), null, name)
    assert.doesNotMatch(sent.get("access-control-expose-headers") ?? "", /Server-Timing/)
  })
})
