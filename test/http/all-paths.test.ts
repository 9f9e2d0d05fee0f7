import assert from "node:assert/strict"
import { request } from "node:http"
import { test } from "node:test"
import type { Resource } from "../../src/core/server/exchange/exchange.ts"
import { connectTools, contentOf, withKey } from "../harness/mcp.ts"
import { startPetstore } from "../harness/petstore.ts"
import { use, usePetstore } from "../harness/use.ts"

const unlimited = { PETSTORE_UNLIMITED_ADDRESSES: "127.0.0.0/8" }
const petstore = usePetstore({ env: { ...unlimited } })
const inProduction = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
const production = use(() => startPetstore({ env: { ...unlimited, ...inProduction, PETSTORE_CLASSIC_V2: "on" } }))

type Service = Pick<typeof petstore, "url" | "router">

/** The paths of everything that a service routes, by a walk over its table, so that a later part is covered too. */
async function pathsOf({ router }: Service, are: (resource: Resource) => boolean = () => true): Promise<string[]> {
  const table = await router.table()
  const paths = table.filter((one) => are(one) && one.path !== "/").map(({ path }) => path)
  return paths.map((path) => path.replace(/\{\w+\}/g, "1").replace("*", "x"))
}

const isPage = ({ isPage }: Resource) => isPage
const isRead = ({ routes }: Resource) => routes.has("GET")

/** The head of the response; the rest, which may be a stream, is not read. */
const send = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: { api_key: "special-key", ...headers } })
    sent.on("error", reject).on("response", (response) => {
      response
        .on("error", () => undefined)
        .once("data", (data) => {
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            text: String(data),
          })
          sent.destroy()
        })
      response.once("end", () => resolve({ status: response.statusCode ?? 0, type: "", text: "" }))
    })
    sent.end()
  })

test("a path with a final slash identifies the same resource, everywhere, without a redirect (slow)", async () => {
  const paths = await pathsOf(petstore, isRead)
  for (const some of ["/livez", "/metrics", "/llms.txt", "/docs", "/problems/1", "/receiver/1", "/s/1"])
    assert.ok(paths.includes(some) || some === "/receiver/1", some)
  for (const path of paths.filter((path) => !path.includes("stream") && path !== "/store/events")) {
    const [plain, slashed] = [await send(petstore.url + path), await send(`${petstore.url}${path}/`)]
    // The address of a sandbox is the one that leads to its page, which has the slash.
    if (path !== "/s/1") assert.deepEqual([slashed.status, slashed.type], [plain.status, plain.type], path)
  }
  for (const path of ["/mcp", "/api/v3/pet", "/oauth/token"])
    assert.equal(
      (await send(`${petstore.url}${path}/`, {}, "POST")).status,
      (await send(petstore.url + path, {}, "POST")).status,
    )
})

test("the links of a page lead to the same addresses with a final slash", async () => {
  for (const [path, base] of [
    ["/docs", "../docs"],
    ["/docs/descriptions", "../descriptions"],
    ["/pets/1", "../1"],
  ] as const) {
    const response = await fetch(`${petstore.url}${path}/`)
    assert.ok((await response.text()).includes(`<head>\n<base href="${base}">`), path)
    assert.match(response.headers.get("content-security-policy") ?? "", /base-uri 'self'/)
    assert.match((await fetch(petstore.url + path)).headers.get("content-security-policy") ?? "", /base-uri 'none'/)
  }
})

test("a Host that is not a host and port is refused before routing, at every path (slow)", async () => {
  for (const service of [petstore, production]) {
    for (const path of [...(await pathsOf(service)), "/", "/nowhere"])
      for (const host of ["u:p@x", "x/s/other"]) {
        const { status, text } = await send(service.url + path, { host })
        assert.deepEqual([status, /The header Host is not/.test(text)], [400, true], `${path} ${host}`)
      }
    for (const host of ["[::1", "a b", "%", "x:abc", "x/api/v3/accounts?", "x/metrics?"])
      assert.equal((await send(`${service.url}/mcp`, { host }, "POST")).status, 400, host)
  }
})

test("where there are no sandboxes, the header Petstore-Sandbox is refused at every path that is not a page", async () => {
  const headers = { "petstore-sandbox": "run-7" }
  const paths = await pathsOf(production, (one) => !isPage(one))
  for (const some of ["/mcp", "/livez", "/oauth/token", "/v2/pet", "/llms.txt"]) assert.ok(paths.includes(some), some)
  for (const path of [...paths, "/nowhere"]) {
    const { status, text } = await send(production.url + path, headers)
    assert.deepEqual([status, /names a sandbox/.test(text)], [400, true], path)
  }
  for (const path of [...(await pathsOf(production, isPage)), "/"])
    assert.doesNotMatch((await send(production.url + path, headers)).text, /names a sandbox/, path)
})

test("the header Petstore-Sandbox selects a sandbox at every path that is not a page", async () => {
  const headers = { "petstore-sandbox": "a b" }
  for (const path of await pathsOf(petstore, (one) => !isPage(one)))
    assert.match((await send(petstore.url + path, headers)).text, /Petstore-Sandbox/, path)
  for (const path of [...(await pathsOf(petstore, isPage)), "/"])
    assert.doesNotMatch((await send(petstore.url + path, headers)).text, /Petstore-Sandbox must/, path)
})

test("tools run in the sandbox that the header selects", async () => {
  const options = { requestInit: { headers: { api_key: "special-key", "petstore-sandbox": "by-header" } } }
  await using selected = await connectTools(`${petstore.url}/mcp`, options)
  await using main = await connectTools(`${petstore.url}/mcp`, withKey("special-key"))
  await selected.callTool({ name: "reset", arguments: { seed: "empty" } })
  const added = contentOf(await selected.callTool({ name: "addPet", arguments: { name: "Selected", photoUrls: [] } }))
  const found = async (client: typeof main) =>
    contentOf<{ items: object[] }>(await client.callTool({ name: "listPets", arguments: { name: "Selected" } })).items
  assert.deepEqual([await found(selected), await found(main)], [[added], []])
  assert.ok((await petstore.as("special-key").listPets({ query: { limit: 1 } })).value.length > 0)
})
