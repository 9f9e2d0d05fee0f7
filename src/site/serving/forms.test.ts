import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { browserToken, isSame, readForm, requireOwnPage, sessionToken, sign } from "./forms.ts"

type Sent = { headers?: Record<string, string>; body?: string; query?: string }

/** A form that a browser sends, and the cookies that the response sets. */
function sent({ headers = {}, body = "", query = "" }: Sent = {}) {
  const cookies: string[] = []
  const all = { host: "pets.example", "content-length": String(Buffer.byteLength(body)), ...headers }
  const request = Object.assign(Readable.from([Buffer.from(body)]), { headers: all })
  const exchange = { request, query, header: (_name: string, value: string) => cookies.push(value) }
  return { exchange: exchange as unknown as Exchange, cookies }
}

const publicUrl = "https://pets.example/shop"
const token = sessionToken("session")
const kept = "k".repeat(32)

test("a form is read with the token of its session, or of its browser", async () => {
  const read = async (one: Sent, guard: object = { token }) => {
    const form = await readForm(sent(one).exchange, { publicUrl, ...guard })
    return form && `${form}`
  }
  assert.equal(await read({ body: `form=${token}&a=b` }), `form=${token}&a=b`)
  for (const body of ["a=b", "form=", `form=${token}x`, `form=${sessionToken("another")}`])
    assert.equal(await read({ body }), undefined, body)
  const cookie = `petstore_form=${kept}`
  assert.equal(await read({ body: `form=${kept}`, headers: { cookie } }, {}), `form=${kept}`)
  assert.equal(await read({ body: `form=${kept}`, headers: { cookie } }), undefined)
  assert.equal(await read({ body: `form=${kept}` }, {}), undefined)
  for (const value of [kept.slice(1), `${kept}k`, `${kept.slice(1)}.`])
    assert.equal(await read({ body: `form=${value}`, headers: { cookie: `petstore_form=${value}` } }, {}), undefined)
})

test("the fields of a file are in the address, of a page that takes one only", async () => {
  const headers = { "content-type": "multipart/form-data; boundary=x" }
  const one = { headers, query: `form=${token}&action=upload` }
  assert.equal((await readForm(sent(one).exchange, { publicUrl, token, takesFile: true }))?.get("action"), "upload")
  assert.equal(await readForm(sent(one).exchange, { publicUrl, token, takesFile: false }), undefined)
  const plain = { ...one, headers: { "content-type": "application/x-www-form-urlencoded" } }
  assert.equal(await readForm(sent(plain).exchange, { publicUrl, token, takesFile: true }), undefined)
})

test("a form has at most 16 KiB before sign-in, and 256 KiB in a session", async () => {
  const read = (bytes: number, guard: object) => {
    const cookie = `petstore_form=${kept}`
    const start = `form=${"token" in guard ? token : kept}&a=`
    return readForm(sent({ body: start.padEnd(bytes, "x"), headers: { cookie } }).exchange, { publicUrl, ...guard })
  }
  for (const [bytes, guard] of [
    [16 * 1024, {}],
    [256 * 1024, { token }],
  ] as const) {
    assert.ok(await read(bytes, guard))
    await assert.rejects(read(bytes + 1, guard), { code: "body-too-large" })
  }
})

test("a form is refused from pages of other sites, as the browser reports them", async () => {
  const own: Record<string, string>[] = [
    {},
    { origin: "https://pets.example" },
    { origin: "http://pets.example" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { host: "127.0.0.1", origin: "https://pets.example" },
  ]
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    { origin: "https://pets.example", "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ]
  for (const headers of own) requireOwnPage(sent({ headers }).exchange, publicUrl)
  for (const headers of foreign) {
    const { exchange } = sent({ headers, body: `form=${token}` })
    assert.throws(() => requireOwnPage(exchange, publicUrl), { code: "foreign-page" }, JSON.stringify(headers))
    await assert.rejects(readForm(exchange, { publicUrl, token }), { code: "foreign-page" })
  }
})

test("a browser keeps the token of its forms in a cookie of the pages below the address", () => {
  const first = sent()
  const value = browserToken(first.exchange, "https://pets.example/shop/console")
  assert.match(value, /^[\w-]{32}$/)
  assert.deepEqual(first.cookies, [`petstore_form=${value}; path=/shop/console; samesite=lax; secure; httponly`])
  const plain = sent()
  const other = browserToken(plain.exchange, "http://127.0.0.1/console")
  assert.deepEqual(plain.cookies, [`petstore_form=${other}; path=/console; samesite=lax; httponly`])
  assert.notEqual(value, other)
  const again = sent({ headers: { cookie: `petstore_form=${value}` } })
  assert.equal(browserToken(again.exchange, "https://pets.example/shop/console"), value)
  assert.deepEqual(again.cookies, [])
})

test("a secret is the same as itself only, and an absent one is the same as none", () => {
  assert.equal(isSame("a", "a"), true)
  for (const [one, other] of [
    ["a", "b"],
    ["a", "ab"],
    ["", ""],
    [null, undefined],
    ["a", undefined],
    [null, "a"],
  ] as const)
    assert.equal(isSame(one, other), false)
  assert.equal(sign("session", "form"), sessionToken("session"))
  assert.notEqual(sign("session", "other"), sessionToken("session"))
})
