import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import sharp from "sharp"
import { createClient } from "../src/client/client.ts"
import type { Part } from "../src/core/assembly/part.ts"
import { readConfigWith } from "../src/core/config/config.ts"
import { api } from "../src/core/domain/api.ts"
import { openLogTo } from "../src/core/observability/log.ts"
import { askRunning } from "../src/parts/operator/socket.ts"
import { partsOf } from "../src/parts.ts"
import { createPetstore } from "../src/petstore.ts"
import { temporaryDirectory } from "./harness/directory.ts"
import { startReceiver } from "./harness/receiver.ts"

/** The service with these parts: by default the core alone, with its first key. */
async function startCore(dataDir: string, parts: readonly Part[] = []) {
  const env = { PETSTORE_DATA_DIR: dataDir, PETSTORE_PORT: "0" }
  const config = readConfigWith([], env)
  const { address: url, firstKey, close } = await createPetstore(config, openLogTo(undefined), {}, parts)
  const key = firstKey && readFileSync(firstKey.path, "utf8").trim()
  const as = (api_key: string) => createClient(api, { url, headers: { api_key } })
  return { url, key, as, [Symbol.asyncDispose]: () => close(AbortSignal.timeout(5_000)) }
}

test("the core alone serves pets, orders, users, keys, webhooks and images, and has its data after a restart (slow)", async () => {
  using directory = temporaryDirectory()
  await using receiver = await startReceiver()
  let [key, petId] = ["", 0]
  {
    await using core = await startCore(directory.path)
    key = core.key as string
    const caller = core.as(key)
    const { value: webhook } = await caller.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    const { value: pet } = await caller.addPet({ body: { name: "Rex", photoUrls: [], tags: [{ name: "calm" }] } })
    petId = pet.id
    assert.equal((await caller.listPets({ query: { tag: ["calm"] } })).value.length, 1)
    const { value: order } = await caller.placeOrder({ body: { petId, quantity: 1 } })
    assert.equal((await caller.getPetById({ params: { petId } })).value.status, "pending")
    await caller.patchOrder({ params: { orderId: order.id }, body: { status: "approved" } })
    await caller.createUser({ body: { username: "ada", password: "a long password" } })
    const { value: session } = await caller.logIn({ body: { username: "ada", password: "a long password" } })
    assert.equal(typeof session, "string")
    const { value: further } = await caller.createKey({ body: { name: "reader", scopes: ["read:pets"] } })
    assert.equal((await core.as(further.secret).getPetById({ params: { petId } })).value.name, "Rex")
    await receiver.until(() => receiver.received.length > 0)
    assert.ok(receiver.received[0]?.headers["webhook-signature"])
    assert.equal((await caller.listDeliveries({ params: { webhookId: webhook.id } })).value.length, 1)
    const body = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer()
    const headers = { api_key: key, "content-type": "application/octet-stream" }
    const uploaded = await fetch(`${core.url}/api/v3/pet/${petId}/uploadImage`, { method: "POST", headers, body })
    assert.equal(uploaded.status, 200)
    const { value: images } = await caller.listPetImages({ params: { petId } })
    assert.equal((await fetch(images[0]?.url as string)).headers.get("content-type"), "image/png")
  }
  await using core = await startCore(directory.path)
  assert.equal(core.key, undefined)
  assert.equal((await core.as(key).getPetById({ params: { petId } })).value.name, "Rex")
})

test("the core alone responds with problems to paths that parts would serve", async () => {
  using directory = temporaryDirectory()
  await using core = await startCore(directory.path)
  for (const path of [
    "/",
    "/console",
    "/docs",
    "/api/v3/openapi.json",
    "/v2/pet/1",
    "/oauth/auth",
    "/s/a/api/v3/pet/1",
  ]) {
    const response = await fetch(core.url + path, { headers: { accept: "text/html" } })
    assert.equal(response.status, 404, path)
    assert.match(response.headers.get("content-type") ?? "", /json$/, path)
  }
  assert.equal((await fetch(`${core.url}/readyz`)).status, 200)
  assert.equal((await fetch(`${core.url}/api/v3/pet/1`)).status, 401)
})

test("the core alone refuses to start where its data would not be on this machine", async () => {
  using directory = temporaryDirectory()
  const env = { PETSTORE_DATA_DIR: directory.path, PETSTORE_PORT: "0", PETSTORE_REDIS_URL: "redis://127.0.0.1:1" }
  await assert.rejects(createPetstore(readConfigWith([], env), openLogTo(undefined), {}, []), /needs the part replicas/)
})

test("nothing leads to documentation that a service without descriptions does not have", async () => {
  using directory = temporaryDirectory()
  const parts = all.filter(({ name }) => name === "site" || name === "oauth")
  for (const some of [[], parts]) {
    await using service = await startCore(directory.path, some)
    for (const path of ["/docs", "/none", "/api/v3/none", "/.well-known/oauth-protected-resource"])
      for (const accept of ["application/json", "text/html"]) {
        const main = (await (await fetch(service.url + path, { headers: { accept } })).text()).split("<main")
        assert.doesNotMatch(
          (main[1] ?? main[0] ?? "").replaceAll(path, ""),
          /\/docs|\bundefined\b/,
          `${path} ${accept}`,
        )
      }
  }
})

const all = partsOf("sandbox")

/** What each part serves. */
const served: Readonly<Record<string, (url: string, dataDir: string) => Promise<boolean>>> = {
  site: answers("/problems"),
  oauth: answers("/oauth/jwks"),
  store: answers("/store/events"),
  descriptions: answers("/api/v3/openapi.json"),
  v2: answers("/v2/store/inventory"),
  mcp: answers("/mcp"),
  console: answers("/console/sign-in"),
  sandbox: answers("/api/v3/sandboxes"),
  operator: async (_url, dataDir) => (await askRunning(dataDir, { action: "inspect" })) !== undefined,
}

function answers(path: string) {
  return async (url: string): Promise<boolean> => {
    const abort = new AbortController()
    const { status } = await fetch(url + path, { signal: abort.signal })
    abort.abort()
    return status !== 404
  }
}

test("every part names only parts before it in the list, and has a row in docs/parts.md that says so", () => {
  const rows = readFileSync(new URL("../docs/parts.md", import.meta.url), "utf8")
  for (const [n, { name, needs = [] }] of all.entries()) {
    const before = all.slice(0, n).map((part) => part.name)
    assert.deepEqual(
      needs.filter((one) => !before.includes(one)),
      [],
      name,
    )
    const needed = needs.map((one) => `\`${one}\``).join(", ")
    assert.ok(rows.includes(`| \`${name}\` | ${needed}${needed && " "}| `), name)
  }
})

for (const { name } of all)
  test(`without the part ${name}, and those that need it, the core and all other parts serve what they did (slow)`, async () => {
    using directory = temporaryDirectory()
    const removed = new Set([name])
    for (const part of all) if (part.needs?.some((one) => removed.has(one))) removed.add(part.name)
    const kept = all.filter((part) => !removed.has(part.name))
    await using service = await startCore(directory.path, kept)
    const caller = service.as(service.key ?? "special-key")
    const { value: pet } = await caller.addPet({ body: { name: "Rex", photoUrls: [] } })
    assert.equal((await caller.getPetById({ params: { petId: pet.id } })).value.name, "Rex")
    for (const [part, serves] of Object.entries(served))
      assert.equal(await serves(service.url, directory.path), !removed.has(part), part)
    for (const path of ["/", `/pets/${pet.id}`, "/problems", "/search", "/nowhere"])
      for (const link of await linksOn(service.url + path))
        assert.notEqual((await fetch(link)).status, 404, `${path}: ${link}`)
  })

/** The addresses of a page's links, of those to problems only that of their list. */
async function linksOn(page: string): Promise<Set<string>> {
  const html = await (await fetch(page, { headers: { accept: "text/html" } })).text()
  const links = [...html.matchAll(/<a [^>]*href="([^"#]+)/g)].map(([, href = ""]) => new URL(href, page))
  return new Set(links.filter(({ pathname }) => !pathname.startsWith("/problems/")).map(String))
}
