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
  const judge = async (more: object) => {
    let username = ""
    const { verdict, requests } = await judgeCheck(classic, "registers-and-reads-a-user", ({ body }) => {
      if (body === undefined) return { value: { username, firstName: "Ada", ...more } }
      username = (body as { username: string }).username
      return {}
    })
    assert.deepEqual(requests, ["POST /user", `GET /user/${username}`])
    return verdict.replaceAll(username, "NAME")
  }
  assert.equal(await judge({}), "passed")
  assert.equal(await judge({ firstName: "Bob" }), 'missed: the user was ["NAME","Bob"] instead of ["NAME","Ada"]')
  assert.equal(await judge({ username: "eve" }), 'missed: the user was ["eve","Ada"] instead of ["NAME","Ada"]')
  assert.equal(await judge({ password: "correct horse 7" }), "missed: the response contains the password")
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

test("a login has its limit and its end, and its token is of no use after the logout", async () => {
  const right = { "x-rate-limit": "60", "x-expires-after": "2026-01-01T00:00:00Z" }
  const judge = (headers: Record<string, string>, ...others: CheckResponse[]) =>
    verdictOf(classic, "logs-in-and-out", {}, { value: "t", headers }, ...others)
  const rest = [{ status: 400 }, { value: "t" }, {}]
  assert.equal(await judge(right, ...rest, { status: 401 }), "passed")
  assert.match(await judge(right, ...rest, {}), /^missed: GET \/user\/ada-\S+ was 200 instead of 401$/)
  for (const name of ["x-rate-limit", "x-expires-after"] as const) {
    const { [name]: _, ...others } = right
    assert.equal(await judge(others, ...rest, { status: 401 }), `missed: ${name} is missing`)
  }
})
