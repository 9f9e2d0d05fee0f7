import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import { isForPrograms, mountOf, nameIn, refuseName } from "./selected-name.ts"

const named = (url: string, name?: string) =>
  exchangeOf(url, name === undefined ? {} : { headers: { "petstore-sandbox": name } })

/** The name, the path without it, and the prefix of the part; or the detail of the refusal. */
function read(url: string, header?: string) {
  const exchange = named(url, header)
  try {
    return [nameIn(exchange), exchange.path, exchange.mount.prefix]
  } catch (error) {
    assert.ok(error instanceof Problem)
    const [violation] = error.violations
    assert.deepEqual(
      [error.code, violation],
      ["invalid-parameter", { parameter: "Petstore-Sandbox", code: "wrong-form", detail: violation?.detail }],
    )
    return [violation?.detail, exchange.mount.prefix]
  }
}

test("a sandbox is named in the path, or for programs in the header", () => {
  for (const [url, header, expected] of [
    ["/api/v3/pet/1", undefined, [undefined, "/api/v3/pet/1", ""]],
    ["/s/one/api/v3/pet/1", undefined, ["one", "/api/v3/pet/1", "/s/one"]],
    ["/s/one/", undefined, ["one", "/", "/s/one"]],
    ["/s/one", undefined, [undefined, "/s/one", ""]],
    ["/s/", undefined, [undefined, "/s/", ""]],
    [
      "/.well-known/oauth-authorization-server/s/one/oauth",
      undefined,
      ["one", "/.well-known/oauth-authorization-server/oauth", "/s/one"],
    ],
    ["/.well-known/s/one/oauth", undefined, [undefined, "/.well-known/s/one/oauth", ""]],
    ["/a/s/one/b", undefined, [undefined, "/a/s/one/b", ""]],
    ["/api/v3/pet/1", "one", ["one", "/api/v3/pet/1", "/s/one"]],
    ["/v2/pet/1", "one", ["one", "/v2/pet/1", "/s/one"]],
    ["/console/pets", "one", [undefined, "/console/pets", ""]],
    ["/s/one/api/v3/pet/1", "one", ["one", "/api/v3/pet/1", "/s/one"]],
    ["/s/one/api/v3/pet/1", "two", ['is "two", and the path names one', "/s/one"]],
  ] as const)
    assert.deepEqual(read(url, header), expected, `${url} ${header}`)
})

test("a name that cannot be one is refused", () => {
  for (const [url, header] of [
    ["/s/../api/v3/pet/1", undefined],
    ["/s//api/v3/pet/1", undefined],
    ["/api/v3/pet/1", ""],
    ["/api/v3/pet/1", "a b"],
  ] as const)
    assert.deepEqual(
      read(url, header),
      ["must have 1 to 64 letters, digits and . _ -, not only dots", ""],
      `${url} ${header}`,
    )
})

test("where there are no sandboxes, a request of a program that names one is refused", () => {
  refuseName(named("/api/v3/pet/1"), "there are none")
  refuseName(named("/console/pets", "one"), "there are none")
  assert.throws(
    () => refuseName(named("/api/v3/pet/1", "one"), "there are none"),
    /names a sandbox, and there are none/,
  )
})

test("programs use the API, images and the authorization server", () => {
  const paths = [
    "/api/v3/pet",
    "/v2/pet",
    "/oauth/token",
    "/api/v3",
    "/console/pets",
    "/docs/api/v3/pet",
    "/s/one/api/v3/pet",
  ]
  assert.deepEqual(paths.map(isForPrograms), [true, true, true, false, false, false, false])
})

test("the log names the sandbox", () => {
  const { prefix, logged, isTimed } = mountOf("one")
  assert.deepEqual([prefix, logged, isTimed], ["/s/one", ',"sandbox":"one"', undefined])
})
