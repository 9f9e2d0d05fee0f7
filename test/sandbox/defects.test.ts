import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { type DefectId, defectIds } from "../../src/parts/sandbox/defects/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

type Options = { method?: string; body?: unknown; headers?: Record<string, string> }
type Answered = { status: number; headers: Headers; json: Json; text: string }
// biome-ignore lint/suspicious/noExplicitAny: the responses of a defective service have no type
type Json = any

const petstore = usePetstore()
const receiver = use(startReceiver)

/** Requests to a sandbox, with the key for everything unless other headers are given. */
function asking(name: string) {
  return async (
    path: string,
    { method, body, headers = { api_key: "special-key" } }: Options = {},
  ): Promise<Answered> => {
    const response = await fetch(`${petstore.url}/s/${name}/api/v3${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text.startsWith("<") ? text : parse(text) }
  }
}

/** Makes room for others. */
const remove = (name: string) =>
  fetch(`${petstore.url}/api/v3/sandboxes/${name}`, { method: "DELETE", headers: { api_key: "special-key" } })

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Ask = ReturnType<typeof asking>

const rex = { name: "Rex", photoUrls: [] }
const bearer = async (ask: Ask, user: string) => {
  const { json } = await ask("/user/login", { body: { username: user, password: user.replace("user", "password") } })
  return { authorization: `Bearer ${json}` }
}
/** An order of user1, and the way of user2 to see it. */
async function orderOfOther(ask: Ask) {
  const { json: order } = await ask("/store/order", { body: { petId: 2 }, headers: await bearer(ask, "user1") })
  return { path: `/store/order/${order.id}`, headers: await bearer(ask, "user2") }
}
const nextOf = ({ headers }: Answered) => /api\/v3([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
const idsOf = ({ json }: Answered): number[] => json.map((pet: { id: number }) => pet.id)
async function flood(ask: Ask): Promise<Answered> {
  for (let n = 0; n < 60; n++) await ask("/pet/1", { headers: { api_key: "free-key" } })
  return ask("/pet/1", { headers: { api_key: "free-key" } })
}
async function messages(ask: Ask) {
  const { json } = await ask("/webhooks", { body: { url: `${receiver.url}/${crypto.randomUUID()}` } })
  await ask(`/webhooks/${json.id}/test-deliveries`, { method: "POST" })
  const mine = () => receiver.received.filter(({ path }) => json.url.endsWith(path))
  await until(() => mine().length > 0, "a message")
  return { mine }
}

/** Whether a sandbox has a defect, as a client sees it. */
const isSeen: Record<DefectId, (ask: Ask) => Promise<boolean>> = {
  "unknown-member": async (ask) => "petstoreInternal" in (await ask("/pet/1")).json,
  "pet-without-name": async (ask) => !("name" in (await ask("/pet/1")).json),
  "id-as-text": async (ask) => typeof (await ask("/store/order/1")).json.id === "string",
  "unknown-status-word": async (ask) => (await ask("/pet/1")).json.status === "AVAILABLE",
  "json-as-plain-text": async (ask) =>
    /text\/plain/.test((await ask("/store/inventory")).headers.get("content-type") ?? ""),
  "null-member": async (ask) => (await ask("/user/admin")).json.phone === null,
  "ids-rounded": async (ask) => (await ask("/pet", { body: { id: 16777217, ...rex } })).json.id !== 16777217,
  "stack-trace": async (ask) => /at .*\.ts:/.test((await ask("/pet/999999")).json.detail),
  "creation-is-201": async (ask) => (await ask("/pet", { body: rex })).status === 201,
  "absent-is-200": async (ask) => (await ask("/pet/999999")).status === 200,
  "nothing-found-is-404": async (ask) => (await ask("/pet/findByTags?tags=none")).status === 404,
  "reading-is-201": async (ask) => (await ask("/store/inventory")).status === 201,
  "emoji-fails": async (ask) => (await ask("/pet", { body: { name: "🐕", photoUrls: [] } })).status === 500,
  "long-text-fails": async (ask) =>
    (await ask("/pet", { body: { name: "a".repeat(200), photoUrls: [] } })).status === 500,
  "zero-fails": async (ask) => (await ask("/pet/0")).status === 500,
  "challenge-missing": async (ask) =>
    (await ask("/pet/1", { headers: { api_key: "wrong" } })).headers.get("www-authenticate") === null,
  "location-leads-nowhere": async (ask) => {
    const { headers } = await ask("/webhooks", { body: { url: receiver.url } })
    return (await ask((headers.get("location") ?? "").replace(/^.*\/api\/v3/, ""))).status === 404
  },
  "update-drops-tags": async (ask) => {
    await ask("/pet", { method: "PUT", body: { id: 1, ...rex, tags: [{ name: "shy" }] } })
    return (await ask("/pet/1")).json.tags.length === 0
  },
  "patch-resets-status": async (ask) => {
    const { json } = await ask("/pet", { body: { ...rex, status: "sold" } })
    return (await ask(`/pet/${json.id}`, { method: "PATCH", body: { name: "R" } })).json.status === "available"
  },
  "delete-keeps-pet": async (ask) => {
    const { json } = await ask("/pet", { body: rex })
    assert.equal((await ask(`/pet/${json.id}`, { method: "DELETE" })).status, 200)
    return (await ask(`/pet/${json.id}`)).status === 200
  },
  "failed-creation-stays": async (ask) => {
    assert.equal((await ask("/pet", { body: { ...rex, name: "Stays", status: "lost" } })).status, 422)
    return (await ask("/pet?name=Stays")).json.length === 1
  },
  "failed-update-changes": async (ask) => {
    assert.equal((await ask("/pet/1", { method: "PATCH", body: { name: "Changed", status: "lost" } })).status, 422)
    return (await ask("/pet/1")).json.name === "Changed"
  },
  "invalid-order-accepted": async (ask) =>
    (await ask("/store/order", { body: { petId: 2, quantity: -1 } })).status === 200,
  "repeated-put-differs": async (ask) => {
    const put = () => ask("/pet", { method: "PUT", body: { id: 1, ...rex } })
    await put()
    return (await put()).json.name !== "Rex"
  },
  "lost-update": async (ask) => {
    const headers = { api_key: "special-key", "if-match": '"old"' }
    return (await ask("/pet/1", { method: "PATCH", body: { name: "A" }, headers })).status === 200
  },
  "key-of-repetition-ignored": async (ask) => {
    const add = () => ask("/pet", { body: rex, headers: { api_key: "special-key", "idempotency-key": "k" } })
    const first = await add()
    return (await add()).json.id !== first.json.id
  },
  "stale-read": async (ask) => {
    await ask("/pet/1")
    await ask("/pet/1", { method: "PATCH", body: { name: "New" } })
    return (await ask("/pet/1")).json.name !== "New"
  },
  "inventory-off-by-one": async (ask) => {
    const { json } = await ask("/store/inventory")
    return json.available !== (await ask("/pet?status=available&limit=1000")).json.length
  },
  "etag-never-changes": async (ask) =>
    (await ask("/pet/1")).headers.get("etag") === (await ask("/pet/2")).headers.get("etag"),
  "order-of-others-readable": async (ask) => {
    const { path, headers } = await orderOfOther(ask)
    return (await ask(path, { headers })).status === 200
  },
  "order-of-others-deletable": async (ask) => {
    const { path, headers } = await orderOfOther(ask)
    return (await ask(path, { headers, method: "DELETE" })).status === 200
  },
  "existence-revealed": async (ask) => {
    const { path, headers } = await orderOfOther(ask)
    assert.equal((await ask("/store/order/4711", { headers })).status, 404)
    return (await ask(path, { headers })).status === 403
  },
  "scope-unchecked": async (ask) => {
    const { json } = await ask("/keys", { body: { name: "reads", scopes: ["read:pets"] } })
    return (await ask("/pet/1", { method: "DELETE", headers: { api_key: json.secret } })).status === 200
  },
  "revoked-key-accepted": async (ask) => {
    const { json } = await ask("/keys", { body: { name: "ends", scopes: ["read:pets"] } })
    const headers = { api_key: json.secret }
    await ask("/pet/1", { headers })
    await ask(`/keys/${json.id}`, { method: "DELETE" })
    assert.equal((await ask("/pet/1", { headers: { api_key: "psk_unknown" } })).status, 401)
    return (await ask("/pet/1", { headers })).status === 200
  },
  "anonymous-read": async (ask) => (await ask("/pet/1", { headers: {} })).status === 200,
  "anonymous-delete": async (ask) => (await ask("/pet/1", { headers: {}, method: "DELETE" })).status === 200,
  "valid-key-unrecognized": async (ask) =>
    (await ask("/accounts", { headers: { api_key: "free-key" } })).status === 401,
  "mass-assignment": async (ask) => {
    const { json } = await ask("/store/order", { body: { petId: 2, complete: true } })
    return (await ask(`/store/order/${json.id}`)).json.status === "delivered"
  },
  "item-missing-between-pages": async (ask) => {
    const first = await ask("/pet?sort=id&limit=3")
    return !idsOf(await ask(nextOf(first) as string)).includes(4)
  },
  "item-on-two-pages": async (ask) => {
    const first = await ask("/pet?sort=id&limit=3")
    return idsOf(await ask(nextOf(first) as string)).includes(3)
  },
  "next-page-without-end": async (ask) => nextOf(await ask("/pet?limit=1000")) !== undefined,
  "total-off-by-one": async (ask) => {
    const counted = await ask("/pet?limit=1000", { headers: { api_key: "special-key", prefer: "count=exact" } })
    return Number(counted.headers.get("total-count")) !== counted.json.length
  },
  "limit-not-enforced": async (ask) => (await flood(ask)).status === 200,
  "retry-after-missing": async (ask) => {
    const { status, headers } = await flood(ask)
    assert.equal(status, 429)
    return headers.get("retry-after") === null
  },
  "event-with-two-ids": async (ask) => {
    const { mine } = await messages(ask)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return new Set(mine().map(({ headers }) => headers["webhook-id"])).size === 2
  },
  "signature-of-other-bytes": async (ask) => {
    const { mine } = await messages(ask)
    return mine()[0]?.body.endsWith("\n") === true
  },
}

describe("defects on purpose", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  for (const [id, seen] of Object.entries(isSeen))
    test(`${id} is there when it is asked for, and not otherwise (slow)`, async () => {
      const [without, having] = [asking(`without-${id}`), asking(`having-${id}`)]
      assert.equal(await seen(without), false, "without it")
      const set = await having("/sandbox/defects", { method: "PUT", body: { defects: [id] } })
      assert.deepEqual(set.json, { defects: [id] })
      assert.equal(await seen(having), true, "with it")
      await having("/sandbox/reset", { method: "POST" })
      assert.deepEqual((await having("/sandbox/defects")).json.defects, [])
      for (const name of [`without-${id}`, `having-${id}`]) await remove(name)
    })

  test("all at once, each operation still responds", async () => {
    const ask = asking("all")
    const defects = Object.values(defectIds).flat()
    assert.ok(defects.length >= 30)
    await ask("/sandbox/defects", { method: "PUT", body: { defects } })
    for (const path of ["/pet/1", "/pet", "/store/inventory", "/store/order/1", "/user/admin", "/webhooks"])
      assert.notEqual((await ask(path)).status, 500, path)
  })

  test("what one remembers is forgotten once others are set, and only then", async () => {
    const ask = asking("forgetting")
    const set = (defects: DefectId[]) => ask("/sandbox/defects", { method: "PUT", body: { defects } })
    await set(["mass-assignment"])
    const { json: order } = await ask("/store/order", { body: { petId: 2, complete: true } })
    const status = async () => (await ask(`/store/order/${order.id}`)).json.status
    assert.deepEqual([order.status, await status(), await status()], ["delivered", "delivered", "delivered"])
    await set([])
    assert.equal(await status(), "placed")
    await set(["mass-assignment"])
    assert.equal(await status(), "placed")
    await remove("forgetting")
  })

  test("each says what is wrong, which rule it breaks, and how to see it", async () => {
    const ask = asking("list")
    await ask("/pet/1")
    const { json } = await ask("/sandbox/defects")
    assert.deepEqual(
      json.known.map(({ id }: { id: string }) => id),
      Object.values(defectIds).flat(),
    )
    for (const { wrong, breaks, see } of json.known) {
      assert.match(wrong, /\.$/)
      assert.match(breaks, /\.$/)
      assert.match(see, /\$URL\/api\/v3\//)
    }
  })

  test("an unknown one is refused, and they need the scope admin", async () => {
    const ask = asking("refused")
    const body = { defects: ["update-drops-tag"] }
    assert.equal((await ask("/sandbox/defects", { method: "PUT", body })).status, 422)
    const headers = { api_key: "free-key" }
    assert.equal((await ask("/sandbox/defects", { method: "PUT", body: { defects: [] }, headers })).status, 403)
  })
})

test("a setting gives the service defects, to which a reset returns", async () => {
  await using defective = await startPetstore({ env: { PETSTORE_DEFECTS: "absent-is-200, emoji-fails" } })
  const headers = { api_key: "special-key", "content-type": "application/json" }
  const at = (path: string, init?: RequestInit) => fetch(`${defective.url}/api/v3${path}`, { headers, ...init })
  assert.equal((await at("/pet/4711")).status, 200)
  await at("/sandbox/defects", { method: "PUT", body: '{"defects":[]}' })
  assert.equal((await at("/pet/4711")).status, 404)
  await at("/sandbox/reset", { method: "POST" })
  assert.equal((await at("/pet/4711")).status, 200)
})

test("production refuses every way of asking for a defect", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await assert.rejects(
    startPetstore({ env: { ...env, PETSTORE_DEFECTS: "emoji-fails" } }),
    /PETSTORE_DEFECTS is for the sandbox/,
  )
  await using production = await startPetstore({ env })
  const headers = { api_key: production.firstKey as string, "content-type": "application/json" }
  for (const init of [{}, { method: "PUT", body: '{"defects":["emoji-fails"]}' }])
    assert.equal((await fetch(`${production.url}/api/v3/sandbox/defects`, { headers, ...init })).status, 404)
  await assert.rejects(startPetstore({ env: { PETSTORE_DEFECTS: "emoji-fail" } }), /did you mean emoji-fails\?/)
})
