import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckResponse, judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { classic } from "./classic.ts"

const pet = { value: { id: 1 } }

test("one more pending pet is one more in the inventory, which may lack the status before", async () => {
  const judge = (before: object, after: object) =>
    verdictOf(classic, "counts-the-inventory", { value: before }, pet, { value: after })
  assert.equal(await judge({ pending: 2 }, { pending: 3 }), "passed")
  assert.equal(await judge({}, { pending: 1 }), "passed")
  assert.equal(await judge({ pending: 2 }, { pending: 2 }), "missed: the number of pending pets was 2 instead of 3")
  assert.equal(await judge({ pending: 2 }, {}), "missed: the number of pending pets was 0 instead of 3")
})

test("an order is as it was sent, and read as it was placed", async () => {
  const right = { id: 7, quantity: 2, status: "placed", complete: false }
  const judge = (placed: object, read: object = placed) =>
    verdictOf(classic, "takes-an-order", pet, { value: placed }, { value: read })
  assert.equal(await judge(right), "passed")
  assert.match(await judge({ ...right, quantity: 1 }), /^missed: the order was \{"quantity":1,"status":"placed"\}/)
  assert.match(await judge({ ...right, status: "approved" }), /^missed: the order was \{"quantity":2,"status":"app/)
  assert.match(await judge(right, { ...right, complete: true }), /^missed: the order was \{"id":7,.*"complete":true\}/)
})

test("a user is read by name, without the password", async () => {
  const judge = async (more: object, name = "registers-and-reads-a-user") => {
    let username = ""
    const { verdict, requests } = await judgeCheck(classic, name, ({ body }) => {
      if (body === undefined) return { value: { username, firstName: "Ada", ...more } }
      username = (body as { username: string }).username
      return {}
    })
    assert.deepEqual(requests, ["POST /user", `GET /user/${username}`])
    return verdict.replaceAll(username, "NAME")
  }
  assert.equal(await judge({}), "passed")
  for (const other of [{ firstName: "Bob" }, { username: "eve" }])
    assert.match(await judge(other), /^missed: the user was .* instead of \{"username":"NAME","firstName":"Ada"\}$/)
  assert.equal(await judge({ password: "correct horse 7" }), "passed")
  assert.equal(await judge({}, "hides-passwords"), "passed")
  assert.equal(
    await judge({ password: "correct horse 7" }, "hides-passwords"),
    "missed: the response contains the password",
  )
  assert.equal(await judge({ username: "eve" }, "hides-passwords"), "unclaimed: a user cannot be read")
})

test("a pet in XML has its element, its media type and escaped text", async () => {
  const judge = (text: string, type = "application/xml") =>
    verdictOf(classic, "responds-with-xml", pet, { text, headers: { "content-type": type } })
  const name = "<name>&lt;Rex &amp; Max&gt;</name>"
  for (const element of ["pet", "Pet"])
    assert.equal(await judge(`<${element}>${name}</${element}>`, "application/xml; charset=utf-8"), "passed")
  for (const text of [name, "<pet><name><Rex & Max></name></pet>"])
    assert.equal(await judge(text), `missed: the body is ${text}`)
  for (const type of ["text/xml", "text/plain; application/xml"])
    assert.equal(await judge(`<pet>${name}</pet>`, type), "missed: the media type is another")
})

test("a login has its limit and its end, and a wrong password none", async () => {
  const right = { "x-rate-limit": "60", "x-expires-after": "2026-01-01T00:00:00Z" }
  const judge = (headers: Record<string, string>, wrong = 400) =>
    verdictOf(classic, "logs-in", {}, { text: "logged in", headers }, { status: wrong })
  assert.equal(await judge(right), "passed")
  assert.match(await judge(right, 200), /^missed: GET \/user\/login\S+ was 200 instead of 400$/)
  for (const name of ["x-rate-limit", "x-expires-after"] as const) {
    const { [name]: _, ...others } = right
    assert.equal(await judge(others), `missed: ${name} is missing`)
  }
})

test("a token is of no use after the logout, where a login has one that is accepted", async () => {
  const judge = (...others: CheckResponse[]) => verdictOf(classic, "ends-with-the-logout", {}, ...others)
  const token = { value: "t" }
  assert.equal(await judge(token, {}, {}, { status: 401 }), "passed")
  assert.match(await judge(token, {}, {}, {}), /^missed: GET \/user\/ada-\S+ was 200 instead of 401$/)
  assert.equal(await judge(token, { status: 401 }), "unclaimed: its tokens are not accepted")
  for (const none of [{ value: "logged in as ada" }, { text: "logged in" }, { value: { token: "t" } }, { status: 401 }])
    assert.equal(await judge(none), "unclaimed: a login has no token")
})

test("the inventory is what the lists have", async () => {
  const judge = (counts: object) =>
    verdictOf(classic, "counts-what-is-listed", pet, { value: counts }, { value: [{ id: 1 }] }, { value: [] })
  assert.equal(await judge({ available: 1, pending: 0, sold: 0 }), "passed")
  assert.equal(await judge({ available: 1 }), "passed")
  assert.equal(await judge({ available: 2 }), "missed: the number of available pets was 2 instead of 1")
  assert.equal(await judge({ available: 1, sold: 1 }), "missed: the number of sold pets was 1 instead of 0")
})
