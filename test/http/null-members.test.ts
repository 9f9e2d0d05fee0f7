import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { exampleOf } from "../../src/api/openapi/example.ts"
import { api } from "../../src/domain/api.ts"
import { type Endpoint, takesJson } from "../../src/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../../src/kernel/network/path.ts"
import { sender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

type Schema = { properties?: Record<string, Schema>; required?: string[]; items?: Schema; type?: string }

/** The value with null in every optional field of the schema, at every depth. */
function withNulls({ properties, required = [], items }: Schema, value: unknown): unknown {
  if (items && Array.isArray(value)) return value.map((item) => withNulls(items, item))
  if (!properties) return value
  const given = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, required.includes(name) ? withNulls(of, given[name]) : null]),
  )
}

describe("null in every optional field of a body is no violation:", () => {
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    const { method, path, params, body } = endpoint
    if (method === "PATCH" || !body || !takesJson(endpoint)) continue
    test(name, async () => {
      const parameters = Object.keys(params?.properties ?? {}).map((parameter) => [parameter, "1"])
      const response = await fetch(petstore.url + basePath + filledPath(path, Object.fromEntries(parameters)), {
        method,
        headers: { api_key: "special-key", "content-type": "application/json" },
        body: JSON.stringify(withNulls(body as Schema, exampleOf(body))),
      })
      const text = await response.text()
      assert.ok(response.status !== 422 && response.status < 500, `${response.status} ${text}`)
    })
  }
})

for (const base of ["/api/v3", "/v2"])
  describe(`a serializer that writes unset fields as null is accepted at ${base}:`, () => {
    const send = sender(petstore, base)
    const read = sender(petstore)
    const unset = { category: null, tags: null, status: null }

    test("pets", async () => {
      const made = await send("POST", "/pet", { id: null, name: "nulls", photoUrls: [], ...unset })
      assert.equal(made.status, 200, made.text)
      const { id } = made.value
      assert.deepEqual(made.value, { id, name: "nulls", photoUrls: [], tags: [], status: "available" })
      const full = { category: { id: null, name: "c" }, tags: [{ id: null, name: "t" }], status: "sold" }
      const replaced = await send("PUT", "/pet", { id, name: "full", photoUrls: ["p"], ...full })
      assert.deepEqual(
        { category: replaced.value.category.name, tag: replaced.value.tags[0].name },
        { category: "c", tag: "t" },
      )
      const cleared = await send("PUT", "/pet", { id, name: "nulls", photoUrls: [], ...unset })
      assert.deepEqual(cleared.value, { id, name: "nulls", photoUrls: [], tags: [], status: "sold" })
    })

    test("orders", async () => {
      const { id: petId } = (await send("POST", "/pet", { name: "ordered", photoUrls: [] })).value
      const unset = { id: null, quantity: null, shipDate: null, status: null, complete: null }
      const { status, value } = await send("POST", "/store/order", { petId, ...unset })
      assert.deepEqual(
        { status, value },
        { status: 200, value: { id: value.id, petId, quantity: 1, status: "placed", complete: false } },
      )
    })

    test("users", async () => {
      const names = { firstName: null, lastName: null, email: null, phone: null, userStatus: null }
      const username = `nulls${base.replaceAll("/", "")}`
      const users = [`${username}1`, `${username}2`].map((name) => ({
        id: null,
        username: name,
        password: "p",
        ...names,
      }))
      assert.equal((await send("POST", "/user/createWithList", users)).status, 200)
      assert.equal((await send("POST", "/user", { ...users[0], username })).status, 200)
      await send("PUT", `/user/${username}`, { firstName: "Jo", phone: "1" })
      const changed = await send("PUT", `/user/${username}`, {
        ...names,
        id: null,
        username: null,
        password: null,
        phone: "2",
      })
      assert.equal(changed.status, 200, changed.text)
      const { id: _, role: __, ...user } = (await read("GET", `/user/${username}`)).value
      assert.deepEqual(user, { username, phone: "2", userStatus: 0 })
    })
  })

describe("null", () => {
  const send = sender(petstore)

  test("in a required field or in a list is refused with its place", async () => {
    const pet = { name: "a", photoUrls: [] as unknown }
    for (const [body, pointer] of [
      [{ ...pet, name: null }, "/name"],
      [{ ...pet, photoUrls: null }, "/photoUrls"],
      [{ ...pet, photoUrls: [null] }, "/photoUrls/0"],
      [{ ...pet, tags: [null] }, "/tags/0"],
      [{ ...pet, tags: [{ name: null }] }, "/tags/0/name"],
      [{ ...pet, category: { name: null } }, "/category/name"],
    ] as const) {
      const { status, value } = await send("POST", "/pet", body)
      assert.deepEqual({ status, pointer: value.errors?.[0].pointer }, { status: 422, pointer })
    }
  })

  test("in the JSON of a form's field omits it, and as the text of a field is text", async () => {
    const headers = { api_key: "special-key", "content-type": "application/x-www-form-urlencoded" }
    const { status, value } = await send("POST", "/pet", "name=null&category=null&tags=null", headers)
    assert.deepEqual(
      { status, value },
      { status: 200, value: { id: value.id, name: "null", photoUrls: [], tags: [], status: "available" } },
    )
    const refused = await send("POST", "/pet", "name=a&tags=null&tags=null&status=null", headers)
    assert.deepEqual(
      refused.value.errors.map(({ pointer }: { pointer: string }) => pointer),
      ["/tags/0", "/tags/1", "/status"],
    )
  })
})
