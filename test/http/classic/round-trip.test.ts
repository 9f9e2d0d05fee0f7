import assert from "node:assert/strict"
import { test } from "node:test"
import { makeImage } from "../../harness/images.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

type Value = string | number | boolean | Value[] | { [name: string]: Value }
type Fields = { [name: string]: Value }

/** A kind of client: the format of its bodies, what it accepts, and how it reads a response. */
type Client = {
  type: string
  accept: string
  write(root: string, value: Fields | Fields[]): string
  read(text: string): Value
}

const json: Client = {
  type: "application/json",
  accept: "application/json",
  write: (_, v) => JSON.stringify(v),
  read: JSON.parse,
}

/** Written by hand without the service's own code, with the names of the classic description. */
const xml: Client = {
  type: "application/xml",
  accept: "application/xml",
  write: writeElement,
  read: (text) => readElement(text.replace(/^<\?.*\?>\s*/, "")),
}

const form: Client = {
  ...json,
  type: "application/x-www-form-urlencoded",
  write: (_, value) =>
    `${new URLSearchParams(
      Object.entries(value as Fields).flatMap(([name, field]) =>
        [field].flat().map((one) => [name, typeof one === "object" ? JSON.stringify(one) : String(one)]),
      ),
    )}`,
}

const itemNames: Record<string, string> = { photoUrls: "photoUrl", tags: "tag", users: "user", pets: "pet" }

function writeElement(name: string, value: Value): string {
  const content = Array.isArray(value)
    ? value.map((item) => writeElement(itemNames[name] as string, item)).join("")
    : typeof value === "object"
      ? Object.entries(value)
          .map(([field, of]) => writeElement(field, of))
          .join("")
      : String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  return `<${name}>${content}</${name}>`
}

const texts = ["name", "username", "firstName", "lastName", "email", "phone"]

function readElement(text: string): Value {
  const [, name = "", content = ""] = /^<(\w+)>(.*)<\/\1>$/s.exec(text) ?? assert.fail(text)
  const inside = [...content.matchAll(/<(\w+)>.*?<\/\1>/gs)].map(
    ([element, field = ""]) => [field, readElement(element)] as const,
  )
  if (name in itemNames) return inside.map(([, item]) => item)
  if (inside.length > 0) return Object.fromEntries(inside)
  const plain = content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
  return !texts.includes(name) && /^(\d+|true|false)$/.test(plain) ? JSON.parse(plain) : plain
}

const classicOperations = [
  ...[
    "addPet",
    "updatePet",
    "findPetsByStatus",
    "findPetsByTags",
    "getPetById",
    "updatePetWithForm",
    "deletePet",
    "uploadFile",
  ],
  ...[
    "getInventory",
    "placeOrder",
    "getOrderById",
    "deleteOrder",
    "createUser",
    "createUsersWithListInput",
    "loginUser",
  ],
  ...["logoutUser", "getUserByName", "updateUser", "deleteUser"],
]

for (const [name, client] of Object.entries({ JSON: json, XML: xml, form }))
  test(`a round trip of every classic operation in ${name}`, async () => {
    const called = new Set<string>()
    const username = `${name}.user`

    /** Sends a request of this kind of client. Forms cannot hold a list, so a list is sent as JSON. */
    async function call(operation: string, method: string, path: string, root?: string, value?: Fields | Fields[]) {
      called.add(operation)
      const { type, write } = client === form && Array.isArray(value) ? json : client
      const response = await fetch(`${petstore.url}/api/v3${path}`, {
        method,
        headers: { api_key: "special-key", accept: client.accept, ...(root && { "content-type": type }) },
        ...(root && { body: write(root, value as Fields) }),
      })
      const text = await response.text()
      assert.equal(response.status, 200, `${operation}: ${text}`)
      assert.equal(
        response.headers.get("content-type"),
        client.accept === "application/xml" ? "application/xml; charset=utf-8" : client.accept,
      )
      return client.read(text) as Fields
    }

    const pet = {
      name: "doggie <&> Co",
      category: { name: "Dogs" },
      photoUrls: ["https://images.example/1.jpg?a=b&c=d", "/2.jpg"],
      tags: [{ name: `${name} tag` }, { name: "other" }],
      status: "available",
    }
    const made = await call("addPet", "POST", "/pet", "pet", { id: 0, ...pet })
    assert.partialDeepStrictEqual(made, pet)
    const at = `/pet/${made.id}`
    assert.deepEqual(await call("getPetById", "GET", at), made)
    const byTag = await call("findPetsByTags", "GET", `/pet/findByTags?tags=${encodeURIComponent(`${name} tag`)}`)
    assert.deepEqual(byTag, [made])
    const replaced = await call("updatePet", "PUT", "/pet", "pet", { ...made, name: "Rex", tags: [{ name: "one" }] })
    assert.partialDeepStrictEqual(replaced, {
      id: made.id,
      name: "Rex",
      tags: [{ name: "one" }],
      status: "available",
    } as Fields)
    const [newest] = (await call(
      "findPetsByStatus",
      "GET",
      "/pet/findByStatus?status=available&limit=1",
    )) as unknown as Fields[]
    assert.deepEqual(newest, replaced)
    const renamed =
      client === form
        ? await call("updatePetWithForm", "POST", at, "form", { name: "Fido", status: "available" })
        : await call("updatePetWithForm", "POST", `${at}?name=Fido&status=available`)
    assert.deepEqual(renamed, { ...replaced, name: "Fido" })
    assert.deepEqual(Object.keys(await upload(at)), ["code", "type", "message"])

    const before = await call("getInventory", "GET", "/store/inventory")
    const shipDate = "2026-01-02T03:04:05.000Z"
    const draft = { petId: made.id as number, quantity: 7, shipDate, status: "placed", complete: false }
    const order = await call("placeOrder", "POST", "/store/order", "order", draft)
    assert.deepEqual(order, { ...draft, id: order.id })
    const after = await call("getInventory", "GET", "/store/inventory")
    assert.deepEqual(
      { available: after.available, pending: after.pending },
      { available: Number(before.available) - 1, pending: Number(before.pending) + 1 },
    )
    assert.deepEqual(await call("getOrderById", "GET", `/store/order/${order.id}`), order)
    assert.partialDeepStrictEqual(await call("deleteOrder", "DELETE", `/store/order/${order.id}`), { code: 200 })
    assert.deepEqual(await call("deletePet", "DELETE", at), { code: 200, type: "success", message: "Pet deleted" })

    const user = {
      username,
      firstName: "J < K",
      email: "john@email.com",
      password: "12345",
      phone: "12345",
      userStatus: 1,
    }
    const { password, ...shown } = user
    const registered = await call("createUser", "POST", "/user", "user", user)
    assert.deepEqual(registered, { ...shown, id: registered.id })
    const listed = [
      { ...user, username: `${username}.2` },
      { ...user, username: `${username}.3` },
    ]
    const many = (await call(
      "createUsersWithListInput",
      "POST",
      "/user/createWithList",
      "users",
      listed,
    )) as unknown as Fields[]
    assert.deepEqual(
      many.map((one) => one.username),
      listed.map((one) => one.username),
    )
    assert.deepEqual(await call("getUserByName", "GET", `/user/${username}`), registered)
    const changed = await call("updateUser", "PUT", `/user/${username}`, "user", { ...shown, firstName: "Jim" })
    assert.deepEqual(changed, { ...registered, firstName: "Jim" })
    const token = await call("loginUser", "GET", `/user/login?username=${username}&password=${password}`)
    assert.match(String(token), /^pss_\w+$/)
    assert.partialDeepStrictEqual(await call("logoutUser", "GET", "/user/logout"), {
      code: 200,
      message: "User logged out",
    })
    assert.partialDeepStrictEqual(await call("deleteUser", "DELETE", `/user/${username}`), { code: 200 })
    assert.deepEqual([...called].sort(), classicOperations.toSorted())

    async function upload(path: string): Promise<Fields> {
      called.add("uploadFile")
      const headers = { api_key: "special-key", accept: client.accept, "content-type": "application/octet-stream" }
      const body = new Uint8Array(await makeImage("png"))
      const response = await fetch(`${petstore.url}/api/v3${path}/uploadImage`, { method: "POST", headers, body })
      assert.match(response.headers.get("location") ?? "", /^http:.*\/images\/[0-9a-f]{64}$/)
      return client.read(await response.text()) as Fields
    }
  })
