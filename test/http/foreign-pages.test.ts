import assert from "node:assert/strict"
import { request } from "node:http"
import { test } from "node:test"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../../src/core/kernel/network/path.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const receiver = use(startReceiver)

type RequestOptions = { method?: string; headers?: Record<string, string>; body?: unknown; url?: string }

/** A request with a browser's headers, including `Host` and `Origin`. */
function ask(path: string, { method = "GET", headers = {}, body, url = petstore.url }: RequestOptions) {
  return new Promise<{ status: number; allowed: string | undefined; text: string }>((resolve, reject) => {
    const json = body !== undefined && { "content-type": "application/json" }
    const sent = request(url + (path.startsWith("/console") ? path : basePath + path), {
      method,
      headers: { api_key: "special-key", ...json, ...headers },
    })
    sent.on("error", reject).on("response", async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      const allowed = response.headers["access-control-allow-origin"]
      resolve({ status: response.statusCode ?? 0, allowed, text })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** A request with exactly these headers, without a key. */
function bareRequest(
  url: string,
  { method = "GET", headers, body = null }: { method?: string; headers: Record<string, string>; body?: string | null },
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const json = body !== null && { "content-type": "application/x-www-form-urlencoded" }
    const sent = request(url, { method, headers: { ...json, ...headers } })
    sent.on("error", reject).on("response", async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.end(body === null ? undefined : "")
  })
}

const evil = { origin: "https://evil.example" }
const preflight = (method: string) => ({
  method: "OPTIONS",
  headers: {
    ...evil,
    "access-control-request-method": method,
    "access-control-request-headers": "api_key,content-type",
  },
})

test("the preflight refuses to let a page of another site manage webhooks, and lets it use pets", async () => {
  for (const [method, path] of [
    ["POST", "/webhooks"],
    ["PATCH", "/webhooks/1"],
    ["POST", "/webhooks/1/test-deliveries"],
    ["GET", "/webhooks/1/deliveries"],
    ["POST", "/keys"],
    ["POST", "/oauth-clients"],
  ] as const) {
    const refused = await ask(path, preflight(method))
    assert.deepEqual({ status: refused.status, allowed: refused.allowed }, { status: 403, allowed: undefined }, path)
  }
  const pets = await ask("/pet", preflight("POST"))
  assert.deepEqual({ status: pets.status, allowed: pets.allowed }, { status: 204, allowed: "*" })
})

test("the request is refused without a preflight too, with any credential", async () => {
  const key = { name: "own", scopes: ["manage:webhooks", "manage:keys"] }
  const made = await ask("/keys", { method: "POST", body: key })
  const { secret } = JSON.parse(made.text)
  for (const api_key of ["special-key", secret])
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1.evil.example",
      "http://localhost.evil.example",
    ]) {
      const body = { url: receiver.url }
      const refused = await ask("/webhooks", { method: "POST", headers: { api_key, origin }, body })
      assert.deepEqual(
        { status: refused.status, code: JSON.parse(refused.text).code },
        { status: 403, code: "foreign-page" },
        origin,
      )
    }
  assert.equal((await petstore.as("special-key").listWebhooks()).value.length, 0)
  assert.equal((await ask("/pet/1", { headers: evil })).allowed, "*")
})

test("every operation that administers is refused to it", async () => {
  for (const { scope, method, path, params } of Object.values<Endpoint>(api)) {
    if (!["manage:webhooks", "manage:keys", "admin"].includes(scope)) continue
    const filled = filledPath(path, Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, 1])))
    const { status } = await ask(filled, { method, headers: evil })
    assert.equal(status, 403, `${method} ${path}`)
  }
})

test("a page whose name was made to resolve to this machine does not administer either", async () => {
  for (const host of [
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example.",
    "internal.evil.example",
    "evil-internal.example",
  ]) {
    const read = await ask("/webhooks", { headers: { host } })
    assert.deepEqual(
      { status: read.status, code: JSON.parse(read.text).code },
      { status: 403, code: "foreign-page" },
      host,
    )
    const origin = `http://${host}`
    const made = await ask("/webhooks", { method: "POST", headers: { host, origin }, body: { url: receiver.url } })
    assert.equal(made.status, 403, host)
    assert.equal((await ask("/pet/1", { headers: { host } })).status, 200)
  }
})

test("front-ends on this machine, the reference and programs manage webhooks", async () => {
  const own = petstore.url.replace("http://", "")
  for (const headers of [
    { origin: "http://localhost:5173" },
    { origin: "http://app.localhost:3000" },
    { origin: "http://[::1]:5173" },
    { origin: petstore.url },
    { host: "192.168.1.5:8080", origin: "http://192.168.1.5:8080" },
    { host: "petstore:8080", origin: "http://petstore:8080" },
    { host: "localhost:8080" },
    { host: own },
  ]) {
    const method = { method: "OPTIONS", headers: { ...headers, "access-control-request-method": "POST" } }
    assert.equal((await ask("/webhooks", method)).status, 204, JSON.stringify(headers))
    assert.equal((await ask("/webhooks", { headers })).status, 200, JSON.stringify(headers))
  }
})

test("a program in a container administers by the reserved name of its host or of the service", async () => {
  for (const host of [
    "host.docker.internal:23200",
    "host.containers.internal",
    "kubernetes.docker.internal",
    "petstore.default.svc.cluster.local:8080",
    "petstore",
    "petstore.test",
    "build-7.local",
    "box.home.arpa",
    "localhost.",
    "host.docker.internal.",
  ]) {
    assert.equal((await ask("/webhooks", { headers: { host } })).status, 200, host)
    assert.equal((await ask("/console/sign-in", { headers: { host } })).status, 200, host)
    // The service's own page at that name, and a page elsewhere.
    assert.equal((await ask("/webhooks", { headers: { host, origin: `http://${host}` } })).status, 200, host)
    assert.equal((await ask("/webhooks", { headers: { host, ...evil } })).status, 403, host)
  }
})

/** What browsers send with an image, a link and a form of another site. */
const images = ["cross-site", "same-site"].map((site) => ({ "sec-fetch-site": site, "sec-fetch-mode": "no-cors" }))

test("without a key, pages of other sites make no sandbox and change nothing; programs and pages of this machine do (slow)", async () => {
  await using open = await startPetstore({ env: { PETSTORE_ANONYMOUS: "special-key" } })
  const statusOf = async (path: string, method: string, headers: Record<string, string>) => {
    const body = method === "POST" || method === "PATCH" ? "{}" : null
    const response = await bareRequest(open.url + path, { method, headers, body })
    return response.status
  }
  const strangers = [evil, { origin: "null" }, ...images]
  for (const headers of strangers) {
    for (const path of ["/s/taken/api/v3/pet/1", "/s/taken/api/v3/user/login?username=user1&password=password1"])
      assert.equal(await statusOf(path, "GET", headers), 403, path)
    for (const [method, path] of [
      ["POST", "/api/v3/pet/1?name=evil"],
      ["DELETE", "/api/v3/user/user3"],
      ["PATCH", "/api/v3/store/order/1"],
      ["POST", "/api/v3/pet/1/uploadImage"],
      ["POST", "/api/v3/user"],
      ["GET", "/api/v3/user/login?username=user1&password=password1"],
      ["GET", "/api/v3/user/logout"],
      ["POST", "/v2/pet/1"],
      ["GET", "/v2/user/login?username=user1&password=password1"],
    ] as const)
      assert.equal(await statusOf(path, method, headers), 403, `${method} ${path} ${JSON.stringify(headers)}`)
    assert.equal(await statusOf("/api/v3/pet/1", "GET", headers), 200)
  }
  const deletion = { ...evil, "access-control-request-method": "DELETE" }
  assert.equal(await statusOf("/api/v3/pet/1", "OPTIONS", deletion), 403)
  assert.equal(
    await statusOf("/api/v3/pet/1", "OPTIONS", { ...deletion, "access-control-request-headers": "api_key" }),
    204,
  )

  for (const headers of [
    {},
    { origin: "http://localhost:5173" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin" },
  ]) {
    assert.equal(await statusOf("/api/v3/pet/1?name=own", "POST", headers), 200, JSON.stringify(headers))
    assert.equal(await statusOf(`/s/own-${Object.keys(headers).length}/api/v3/pet/1`, "GET", headers), 200)
  }
  // With a key it is as without the setting.
  assert.equal(await statusOf("/api/v3/pet/1?name=keyed", "POST", { ...evil, api_key: "special-key" }), 200)
})

test("with a key too, an image or a page of another site makes no sandbox", async () => {
  for (const headers of [evil, ...images])
    assert.equal((await ask("/pet/1", { headers: { ...headers, "petstore-sandbox": "by-image" } })).status, 403)
  assert.equal((await ask("/pet/1", { headers: images[0] ?? {} })).status, 200)
})

test("where keys are secret, pages of any origin may do what their credential may", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  const headers = { ...evil, host: "anything.example", api_key: production.firstKey as string }
  const { status, allowed } = await ask("/webhooks", { headers, url: production.url })
  assert.deepEqual({ status, allowed }, { status: 200, allowed: "*" })
})

test("a page of any origin may read pets, problems and documents; a request without an origin gets no CORS headers", async () => {
  for (const path of ["/pet/1", "/pet/0", "/nothing", "/openapi.json"])
    assert.equal((await ask(path, { headers: evil })).allowed, "*", path)
  assert.equal((await ask("/openapi.json", {})).allowed, "*")
  for (const path of ["/pet/1", "/pet/0"]) assert.equal((await ask(path, {})).allowed, undefined, path)
})

test("a page whose name was made to resolve here cannot open the console and sign itself in", async () => {
  for (const path of ["/console", "/console/sign-in"])
    for (const [host, status] of [
      ["evil.example", 403],
      ["localhost:8080", path === "/console" ? 303 : 200],
    ] as const)
      assert.equal((await ask(path, { headers: { host } })).status, status, `${host} ${path}`)
  const forged = { method: "POST", headers: { host: "evil.example", origin: "http://evil.example" } }
  assert.equal((await ask("/console/sign-in", forged)).status, 403)
})
