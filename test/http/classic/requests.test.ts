import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { newPet } from "../../harness/samples.ts"
import { keySender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

/** A request like a classic client's. A form of another type sets its own Content-Type. */
const send = keySender(petstore)
const store = petstore.as("special-key")
const typed = (type?: string) => (type === undefined ? {} : { "content-type": type })

const urlencoded = (...pairs: [string, string][]) => new URLSearchParams(pairs)

function multipart(...pairs: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

/** The number of events of a pet. */
async function countEvents(id: number): Promise<number> {
  const { value } = await petstore.as("special-key").listEvents({ query: { limit: 1000 } })
  return value.filter(({ data }) => "id" in data && data.id === id).length
}

describe("the form update of a pet", () => {
  test("takes name and status from the query, from either kind of form, or from both places", async () => {
    for (const [query, body] of [
      ["?name=Rex&status=sold", undefined],
      ["", urlencoded(["name", "Rex"], ["status", "sold"])],
      ["", multipart(["name", "Rex"], ["status", "sold"])],
      ["?name=Rex", urlencoded(["status", "sold"])],
      ["?name=Rex&status=sold", multipart(["name", "Rex"])],
    ] as const) {
      const id = await newPet(store)
      const { status, value } = await send("POST", `/pet/${id}${query}`, body)
      assert.deepEqual(
        { status, name: value.name, valueStatus: value.status },
        { status: 200, name: "Rex", valueStatus: "sold" },
      )
      assert.equal(await countEvents(id), 2)
    }
  })

  test("without fields changes nothing, announces nothing and returns the pet, as does an empty patch", async () => {
    const id = await newPet(store)
    const before = await send("GET", `/pet/${id}`)
    const ask = {
      "no body": () => send("POST", `/pet/${id}`),
      "an empty body of a kind it does not take": () => send("POST", `/pet/${id}`, "", typed("application/json")),
      "an empty JSON object": () => send("POST", `/pet/${id}`, "{}", typed("application/json")),
      "an empty form": () => send("POST", `/pet/${id}`, "", typed("application/x-www-form-urlencoded")),
      "a form of other fields": () => send("POST", `/pet/${id}`, urlencoded(["colour", "red"])),
      "an empty patch": () => send("PATCH", `/pet/${id}`, "{}", typed("application/merge-patch+json")),
      "a patch of its own id and an unknown field": () =>
        send("PATCH", `/pet/${id}`, `{"id":${id},"colour":"red"}`, typed("application/merge-patch+json")),
    }
    for (const [what, asking] of Object.entries(ask)) {
      const { status, value, headers } = await asking()
      assert.deepEqual({ status, value }, { status: 200, value: before.value }, what)
      assert.equal(headers.get("etag"), before.headers.get("etag"), what)
      assert.equal(await countEvents(id), 1, what)
    }
    assert.equal((await send("POST", "/pet/4711")).status, 404)
  })

  test("refuses a body of another type, a malformed form, an invalid value, and two that contradict each other", async () => {
    const id = await newPet(store)
    const at = `/pet/${id}`
    for (const [type, body] of [
      ["application/json", '{"name":"Rex"}'],
      ["text/plain", "name=Rex"],
      ["application/x-www-form-urlencoded; charset=latin1", "name=R%E9x"],
      ["application/x-www-form-urlencoded; charset=latin1", "name=R\u00e9x"],
    ] as const) {
      const { status, value } = await send("POST", at, body, typed(type))
      assert.deepEqual({ status, code: value.code }, { status: 415, code: "unsupported-media-type" })
    }
    for (const [type, body] of [
      ["application/x-www-form-urlencoded", "name=%zz"],
      ["application/x-www-form-urlencoded", "name=%ff"],
      ["multipart/form-data", "name=Rex"],
      ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=name\r\n\r\nRex"],
    ] as const) {
      const { status, value } = await send("POST", at, body, typed(type))
      assert.deepEqual({ status, code: value.code }, { status: 400, code: "malformed-request" }, body)
    }
    const judged = await send("POST", at, urlencoded(["name", " "], ["status", "lost"], ["status", "sold"]))
    assert.deepEqual({ status: judged.status, errors: judged.value.errors.length }, { status: 422, errors: 2 })
    const twice = await send("POST", `${at}?name=Rex`, urlencoded(["name", "Fido"]))
    assert.deepEqual(
      { status: twice.status, parameter: twice.value.errors[0].parameter },
      { status: 400, parameter: "name" },
    )
    assert.equal(await countEvents(id), 1)
  })
})

test("an operation without a body accepts an empty one of any type", async () => {
  for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
    assert.equal((await send("POST", "/user/logout", "", typed(type))).status, 200)
    assert.equal((await send("DELETE", `/pet/${await newPet(store)}`, "", typed(type))).status, 200)
  }
})

describe("a form body", () => {
  const fields: [string, string][] = [
    ["id", "4711"],
    ["name", "doggie & co"],
    ["category", '{"id":9,"name":"Dogs"}'],
    ["photoUrls", "https://images.example/1.jpg"],
    ["photoUrls", "/2.jpg"],
    ["tags", '{"name":"friendly"}'],
    ["tags", '[{"id":0,"name":"é+%"},{"name":"small"}]'],
    ["status", "pending"],
    ["colour", "red"],
  ]

  for (const [kind, form] of Object.entries({ urlencoded, multipart }))
    test(`that is ${kind} creates, replaces and orders a pet, and registers and changes a user`, async () => {
      const made = await send("POST", "/pet", form(...fields))
      assert.equal(made.status, 200, JSON.stringify(made.value))
      const { category, tags, ...rest } = made.value
      const photoUrls = ["https://images.example/1.jpg", "/2.jpg"]
      assert.deepEqual(rest, { id: 4711, name: "doggie & co", photoUrls, status: "pending" })
      assert.deepEqual(
        [category.name, ...tags.map(({ name }: { name: string }) => name)],
        ["Dogs", "friendly", "é+%", "small"],
      )

      const replaced = await send("PUT", "/pet", form(["id", "4711"], ["name", "Rex"], ["status", "available"]))
      assert.deepEqual(replaced.value, { id: 4711, name: "Rex", photoUrls: [], tags: [], status: "available" })
      const order = form(["petId", "4711"], ["quantity", "2"], ["complete", "true"], ["status", "approved"])
      const { value } = await send("POST", "/store/order", order)
      assert.deepEqual(
        { petId: value.petId, quantity: value.quantity, status: value.status, complete: value.complete },
        { petId: 4711, quantity: 2, status: "placed", complete: false },
      )
      assert.equal((await send("DELETE", `/store/order/${value.id}`)).status, 200)
      assert.equal((await send("DELETE", "/pet/4711")).status, 200)

      const user = await send("POST", "/user", form(["username", kind], ["password", "12345"], ["userStatus", "1"]))
      assert.deepEqual(
        { status: user.status, username: user.value.username, userStatus: user.value.userStatus },
        { status: 200, username: kind, userStatus: 1 },
      )
      const changed = await send("PUT", `/user/${kind}`, form(["firstName", "John"]))
      assert.deepEqual(
        { firstName: changed.value.firstName, username: changed.value.username },
        { firstName: "John", username: kind },
      )
    })

  test("reports each invalid field, as a JSON body does", async () => {
    for (const [field, pointer] of [
      [["id", "1.5"], "/id"],
      [["id", ""], "/id"],
      [["id", "9007199254740993"], "/id"],
      [["name", ""], "/name"],
      [["name", "another"], "/name"],
      [["category", "Dogs"], "/category"],
      [["category", "{}"], "/category/name"],
      [["category", '{"name":"a"'], "/category"],
      [["photoUrls", "javascript:x"], "/photoUrls/0"],
      [["tags", "friendly"], "/tags/0"],
      [["tags", "[null]"], "/tags/0"],
      [["status", "lost"], "/status"],
    ] as const) {
      const { status, value } = await send("POST", "/pet", urlencoded(["name", "a"], [field[0], field[1]]))
      assert.deepEqual({ status, pointer: value.errors?.[0].pointer }, { status: 422, pointer }, String(field))
    }
    const { status, value } = await send("PUT", "/pet", urlencoded(["name", "a"]))
    assert.deepEqual({ status, code: value.code }, { status: 400, code: "invalid-pet-id" })
  })

  test("with more items than a pet may have is refused for their number, and before that for too many parts", async () => {
    const tags = (count: number) => Array.from({ length: count }, () => ["tags", '{"name":"a"}'] as [string, string])
    const many = await send("POST", "/pet", multipart(["name", "a"], ...tags(51)))
    assert.deepEqual(
      { status: many.status, errors: many.value.errors },
      { status: 422, errors: [{ ...tooMany, detail: "must have 50 items or fewer" }] },
    )
    const parts = await send("POST", "/pet", multipart(["name", "a"], ...tags(256)))
    assert.deepEqual({ status: parts.status, code: parts.value.code }, { status: 400, code: "malformed-request" })
  })
})

const tooMany = { pointer: "/tags", code: "too-many" }
