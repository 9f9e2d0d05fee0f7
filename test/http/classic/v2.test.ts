import assert from "node:assert/strict"
import { test } from "node:test"
import { classicClient } from "../../harness/classic-client.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

const send = classicClient(petstore, "/v2")

const acknowledged = (message: string) => ({ code: 200, type: "unknown", message })

test("the pets and orders of v2 are those of v3, on the paths of v2", async () => {
  const { value: pet } = await send("POST", "/pet", {
    id: 4711,
    name: "doggie",
    photoUrls: ["string"],
    tags: [{ id: 0, name: "v2" }],
  })
  assert.deepEqual((await petstore.as("special-key").getPetById({ params: { petId: 4711 } })).value, pet)
  assert.deepEqual((await send("GET", "/pet/4711/")).value, pet)
  assert.deepEqual((await send("GET", "/pet/findByTags?tags=v2")).value, [pet])
  assert.equal((await send("PUT", "/pet", { ...pet, name: "Rex" })).value.name, "Rex")
  const { value, headers } = await send("GET", "/pet/findByStatus?status=available&limit=1")
  assert.equal(value[0].id, 4711)
  assert.match(headers.get("link") ?? "", /<http:\/\/[^/]+\/v2\/pet\/findByStatus\?.*>; rel="next"/)

  const order = (await send("POST", "/store/order", { petId: 4711, quantity: 1, status: "placed", complete: true }))
    .value
  assert.deepEqual((await send("GET", `/store/order/${order.id}`)).value, order)
  assert.ok((await send("GET", "/store/inventory")).value.pending > 0)
  assert.equal((await send("DELETE", `/store/order/${order.id}`)).value.code, 200)
  assert.equal((await send("DELETE", "/pet/4711")).value.code, 200)
  const absent = await send("GET", "/pet/4711")
  assert.deepEqual({ status: absent.status, message: absent.value.message }, { status: 404, message: "Pet not found" })
})

test("what v2 acknowledges is acknowledged in its format", async () => {
  const form = await fetch(`${petstore.url}/v2/pet/1`, {
    method: "POST",
    headers: { api_key: "special-key" },
    body: new URLSearchParams({ name: "Rex" }),
  })
  assert.deepEqual(await form.json(), acknowledged("1"))
  const user = { id: 4711, username: "theUser", password: "12345" }
  assert.deepEqual((await send("POST", "/user", user)).value, acknowledged("4711"))
  assert.deepEqual((await send("PUT", "/user/theUser", { firstName: "John" })).value, acknowledged("4711"))
  for (const [n, path] of ["/user/createWithArray", "/user/createWithList"].entries())
    assert.deepEqual((await send("POST", path, [{ username: `listed${n}`, password: "1" }])).value, acknowledged("ok"))
  assert.equal((await send("GET", "/user/theUser")).value.firstName, "John")

  const login = await send("GET", "/user/login?username=theUser&password=12345")
  const [, token] = /^logged in user session:(pss_\w+)$/.exec(login.value.message) ?? []
  assert.deepEqual(
    { code: login.value.code, hasLimit: Number(login.headers.get("x-rate-limit")) > 0 },
    { code: 200, hasLimit: true },
  )
  const known = await fetch(`${petstore.url}/v2/user/theUser`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(known.status, 200)
  assert.equal((await send("GET", "/user/logout")).value.code, 200)
  assert.equal((await send("DELETE", "/user/theUser")).value.code, 200)

  const inXml = await send("GET", "/user/login?username=user1&password=password1", undefined, {
    api_key: "special-key",
    accept: "application/xml",
  })
  assert.match(inXml.text, /<apiResponse><code>200<\/code><type>unknown<\/type><message>logged in user session:pss_/)
})

test("what v2 never had is absent, and all of it is where it is switched off", async () => {
  for (const path of ["/keys", "/webhooks", "/events", "/pet/1/images"])
    assert.equal((await send("GET", path)).status, 404)
  assert.equal((await send("PATCH", "/pet/1", {})).status, 405)
  await using without = await startPetstore({ env: { PETSTORE_CLASSIC_V2: "off" } })
  const { status } = await fetch(`${without.url}/v2/pet/1`, { headers: { api_key: "special-key" } })
  assert.equal(status, 404)
})
