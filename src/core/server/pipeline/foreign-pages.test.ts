import assert from "node:assert/strict"
import type { IncomingHttpHeaders } from "node:http"
import { test } from "node:test"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import type { HttpRoute, Resource } from "../exchange/exchange.ts"
import { foreignPageGuard, isAdministrative, isOwnOrigin, refuseForeignPage } from "./foreign-pages.ts"

const publicUrl = "https://pets.example/base"
const route: HttpRoute = { admission: "operation", handle: () => undefined }
const resource: Resource = {
  path: "/a",
  allow: "",
  isPage: false,
  routes: new Map([
    ["GET", route],
    ["POST", { ...route, isAdministrative: true, isChange: true }],
    ["PUT", { ...route, isChange: true }],
  ]),
}

/** The reason why a request is refused; undefined when it is admitted. */
function refusal(
  method: string,
  headers: IncomingHttpHeaders,
  { needsCredential = true, guard = true } = {},
): string | undefined {
  const exchange = exchangeOf("/", { method, headers })
  try {
    if (guard) foreignPageGuard(() => publicUrl, ["store.pets.example"], needsCredential)(exchange, resource)
    else refuseForeignPage(exchange, publicUrl)
    assert.equal(exchange.isReadableAnywhere, true)
    return undefined
  } catch (error) {
    const { code, detail } = error as { code: string; detail: string }
    assert.deepEqual([code, exchange.isReadableAnywhere], ["foreign-page", false])
    assert.match(
      detail,
      /: only pages of this machine and of the service itself may do this; set PETSTORE_PUBLIC_URL to its address(, or add it to PETSTORE_HOSTS)?$/,
    )
    return detail.split(": only ")[0]
  }
}

const host = "pets:8080"
const foreign = "https://evil.example"
const fromForeign = 'The request comes from a page at "https://evil.example"'
const fromOtherSite = "The request comes from a page of another site"

test("scopes that make the service send requests, or issue credentials which can, administer", () => {
  const scopes = ["manage:webhooks", "manage:keys", "admin", "read:pets", "write:pets", "any", "open"]
  assert.deepEqual(
    scopes.filter((scope) => isAdministrative({ scope })),
    ["manage:webhooks", "manage:keys", "admin"],
  )
})

test("a page of another site may not administer; the service's own and those of this machine may", () => {
  assert.equal(refusal("POST", { host, origin: foreign }), fromForeign)
  for (const origin of [
    undefined,
    "http://pets:8080",
    "https://pets:8080",
    "https://pets.example",
    "http://localhost:3000",
    "http://app.localhost",
    "http://127.0.0.9",
    "http://[::1]:3000",
  ])
    assert.equal(refusal("POST", { host, origin }), undefined, `${origin}`)
  for (const origin of [
    "http://pets.example",
    "https://pets.example:8443",
    "http://pets:8081",
    "null",
    "",
    "http://localhost.evil.example",
  ])
    assert.equal(refusal("POST", { host, origin }), `The request comes from a page at ${JSON.stringify(origin)}`)
})

test("an administering request is sent to a name that no foreign site can have", () => {
  for (const name of [
    "",
    "pets",
    "pets.",
    "localhost",
    "192.0.2.1",
    "[2001:db8::1]",
    "pets.test",
    "pets.localhost",
    "pets.local",
    "pets.svc.cluster.local.",
    "pets.home.arpa",
    "host.docker.internal",
    "pets.default.svc",
    "pets.svc",
    "pets.default",
    "Store.pets.example",
    "pets.example",
    "PETS.example.",
  ])
    for (const port of name === "" ? [""] : ["", ":8080"])
      assert.equal(refusal("POST", { host: name + port }), undefined, name + port)
  assert.equal(refusal("POST", {}), undefined)
  for (const name of [
    "evil.example",
    "evil.example:8080",
    "pets.example.com",
    "local.example",
    "home.arpa",
    "a b.c",
    "internal.evil",
    "pets.dev",
    "svc.example",
    "other.store.pets.example",
  ])
    assert.equal(
      refusal("POST", { host: name }),
      `The request was sent to ${JSON.stringify(name)}, which is not this service`,
    )
})

test("a preflight is judged by the method that it asks about", () => {
  const asking = (method: string | undefined) =>
    refusal("OPTIONS", { host, origin: foreign, "access-control-request-method": method })
  assert.deepEqual(
    [asking("POST"), asking("GET"), asking("PATCH"), asking(undefined)],
    [fromForeign, undefined, undefined, undefined],
  )
  assert.equal(refusal("PATCH", { host, origin: foreign }), undefined)
})

test("where requests need no credential, a page of another site may not change anything without one either", () => {
  const open = { needsCredential: false }
  assert.equal(refusal("PUT", { host, origin: foreign }), undefined)
  assert.equal(refusal("PUT", { host, origin: foreign }, open), fromForeign)
  assert.equal(refusal("GET", { host, origin: foreign }, open), undefined)
  for (const headers of [
    { api_key: "" },
    { authorization: "x" },
    { "access-control-request-headers": "a, Authorization" },
    { "access-control-request-headers": "api_key" },
  ]) {
    assert.equal(refusal("PUT", { host, origin: foreign, ...headers }, open), undefined)
    assert.equal(refusal("POST", { host, origin: foreign, ...headers }, open), fromForeign)
  }
  for (const asked of ["content-type", "x_api_key", "authorizations"])
    assert.equal(refusal("PUT", { host, origin: foreign, "access-control-request-headers": asked }, open), fromForeign)
})

test("a change without Origin is refused where the browser says that it comes from another site", () => {
  for (const guarded of [{ needsCredential: false }, { guard: false }])
    for (const [site, reason] of [
      [undefined, undefined],
      ["none", undefined],
      ["same-origin", undefined],
      ["same-site", fromOtherSite],
      ["cross-site", fromOtherSite],
    ] as const) {
      assert.equal(refusal("PUT", { host, "sec-fetch-site": site }, guarded), reason)
      assert.equal(refusal("PUT", { origin: publicUrl, "sec-fetch-site": site }, guarded), undefined)
    }
})

test("where the host is not trusted, a page of it is foreign unless it is the public address", () => {
  const refuse = (origin: string) => () =>
    refuseForeignPage(exchangeOf("/", { headers: { host: new URL(origin).host, origin } }), publicUrl, {
      trustsHost: false,
    })
  for (const origin of ["https://pets.example", "http://localhost:6274"]) refuse(origin)()
  for (const origin of ["http://evil.example", "http://pets:8080", "http://10.0.0.1"])
    assert.throws(refuse(origin), { code: "foreign-page" }, origin)
})

test("an http page of the host of a public https address is not the service's own", () => {
  for (const page of ["pets.example", "pets.example:8080"])
    for (const [scheme, address, own] of [
      ["http", "https://pets.example", false],
      ["http", "http://pets.example", true],
      ["https", "http://pets.example", true],
    ] as const)
      assert.equal(isOwnOrigin(`${scheme}://${page}`, page, address), own, `${scheme}://${page} of ${address}`)
})

test("a page is the service's own if it has the host of the request or the public origin", () => {
  for (const [origin, own] of [
    ["http://pets:8080", true],
    ["https://pets.example", true],
    ["http://pets.example", false],
    ["http://pets", false],
    ["null", false],
  ] as const)
    assert.equal(isOwnOrigin(origin, host, publicUrl), own, origin)
})
