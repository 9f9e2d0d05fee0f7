import assert from "node:assert/strict"
import { request } from "node:http"
import { test } from "node:test"
import { api, classicOperations } from "../../src/core/domain/api.ts"
import { v2Operations } from "../../src/parts/v2/endpoints.ts"
import { hasNamedSandboxes } from "../harness/database.ts"
import { startPetstore } from "../harness/petstore.ts"
import { sender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const send = sender(petstore, "/v2")

test("in v2, pets that are posted and put under one id at the same time are one pet, created once", async () => {
  const pet = { id: 4810, photoUrls: ["string"] }
  const racing = Array.from({ length: 20 }, (_, n) => send(n % 2 ? "POST" : "PUT", "/pet", { ...pet, name: `${n}` }))
  assert.deepEqual(new Set((await Promise.all(racing)).map(({ status }) => status)), new Set([200]))
  const { value: events } = await petstore.as("special-key").listEvents({ query: { limit: 1000 } })
  const kinds = events.flatMap(({ event, data }) => ("id" in data && data.id === pet.id ? [event] : []))
  assert.deepEqual(kinds.toSorted(), ["pet.created", ...Array.from({ length: 19 }, () => "pet.updated")])
})

test("in v2, users who are registered with one id at the same time get ids of their own, and one name is given once", async () => {
  const password = "12345678"
  const idOf = async (username: string) => (await send("GET", `/user/${username}`)).value.id
  const names = Array.from({ length: 6 }, (_, n) => `same.time.${n}`)
  const racing = names.map((username) => send("POST", "/user", { id: 4861, username, password }))
  assert.deepEqual(new Set((await Promise.all(racing)).map(({ status }) => status)), new Set([200]))
  const ids = await Promise.all(names.map(idOf))
  assert.ok(ids.includes(4861) && new Set(ids).size === 6)
  const rival = Array.from({ length: 6 }, () => send("POST", "/user", { id: 4862, username: "rival", password }))
  assert.equal((await Promise.all(rival)).filter(({ status }) => status === 200).length, 1)
})

test("in v2, the body of a GET is ignored by every operation, of any type and length", async () => {
  for (const { endpoint } of v2Operations(api)) {
    if (endpoint.method !== "GET") continue
    const path = endpoint.path.replace("{petId}", "1").replace("{orderId}", "1").replace("{username}", "user1")
    const query = path.endsWith("findByTags")
      ? "?tags=tag1"
      : path.endsWith("login")
        ? "?username=user1&password=password1"
        : ""
    const bare = await withBody(`/v2${path}${query}`, undefined)
    assert.equal(bare, 200, path)
    for (const body of ['{"id":1}', "not JSON", "x".repeat(100_000)])
      assert.equal(await withBody(`/v2${path}${query}`, body), bare, path)
  }
  assert.equal(await withBody("/api/v3/pet/1", '{"id":1}'), 415)
  assert.equal(await withBody("/v2/pet/4711", "text"), 404)
})

/** The status of a GET with a body, which `fetch` does not send. */
const withBody = (path: string, body: string | undefined) =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": body.length }
    const headers = { api_key: "special-key", "content-type": "text/plain", ...length }
    const asked = request(petstore.url + path, { method: "GET", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode))
    })
    asked.on("error", reject).end(body)
  })

test("the Swagger 2.0 document of v2 lists its operations at the address of the service or the sandbox", async () => {
  for (const root of hasNamedSandboxes ? ["", "/s/swagger"] : [""]) {
    const { host } = new URL(petstore.url)
    const { value: document } = await sender(petstore, `${root}/v2`)("GET", "/swagger.json")
    assert.deepEqual([document.swagger, document.host, document.basePath], ["2.0", host, `${root}/v2`])
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
    const found = operations.map(({ operationId }) => operationId)
    assert.deepEqual(found.toSorted(), [...classicOperations, "createUsersWithArrayInput"].toSorted())
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    for (const reference of references) {
      const [, name = ""] = /"#\/definitions\/(\w+)"$/.exec(reference) ?? []
      assert.ok(document.definitions[name], reference)
    }
  }
  const inYaml = await fetch(`${petstore.url}/v2/swagger.yaml`)
  assert.match(await inYaml.text(), /^swagger: "2\.0"\n/)
})

test("nothing is below /v2 where it is switched off", async () => {
  await using without = await startPetstore({ env: { PETSTORE_CLASSIC_V2: "off" } })
  const { status } = await fetch(`${without.url}/v2/pet/1`, { headers: { api_key: "special-key" } })
  assert.equal(status, 404)
})
