import assert from "node:assert/strict"
import { test } from "node:test"
import { isAtRulePath, mayFit, ownPath, readRulePath } from "./rules.ts"

test("the path of a rule is one of the API, with or without the paths before it, and decoded", () => {
  const own = (text: string) => readRulePath(text, "https://petstore.example/s/one")
  for (const [text, path] of [
    ["/pet/1", "/pet/1"],
    ["/pet/1/", "/pet/1"],
    ["/", "/"],
    ["/api/v3/pet/1", "/pet/1"],
    ["/v2/pet/1", "/pet/1"],
    ["/s/one/api/v3/pet/1", "/pet/1"],
    ["/s/one/pet/1", "/pet/1"],
    ["/s/one*", "*"],
    ["/api/v3*", "*"],
    ["/api/v3/*", "/*"],
    ["/api/v3", ""],
    ["/api/v33/pet", "/api/v33/pet"],
    ["/s/other/pet/1", "/s/other/pet/1"],
    ["/pet/a%2Fb", "/pet/a/b"],
    ["/pet/%E2%82%AC", "/pet/€"],
    ["/pet/%", undefined],
  ] as const)
    assert.equal(own(text), path, text)
  assert.equal(readRulePath("/api/v3/pet/1", "https://petstore.example"), "/pet/1")
  assert.equal(readRulePath("/base/api/v3/pet/1", "https://petstore.example/base/"), "/pet/1")
})

test("the path of a request has the same form; one that is malformed stays as it is", () => {
  for (const [path, own] of [
    ["/api/v3/pet/1", "/pet/1"],
    ["/v2/pet/1/", "/pet/1"],
    ["/api/v3/pet/%41", "/pet/A"],
    ["/api/v3/pet/%zz", "/pet/%zz"],
  ] as const)
    assert.equal(ownPath(path), own)
})

test("a rule is for its path, or with an asterisk for all that begin with it", () => {
  for (const [rule, path, isAt] of [
    ["/pet/1", "/pet/1", true],
    ["/pet/1", "/pet/12", false],
    ["/pet/1*", "/pet/1", true],
    ["/pet/1*", "/pet/12", true],
    ["/pet/1*", "/pet/2", false],
    ["*", "/pet/2", true],
    ["*", "", true],
  ] as const)
    assert.equal(isAtRulePath(rule, path), isAt, `${rule} ${path}`)
})

test("a rule fits a pattern exactly when a request can have both", () => {
  for (const [pattern, rule, fits] of [
    ["/pet/{petId}", "/pet/1", true],
    ["/pet/{petId}", "/pet/", false],
    ["/pet/{petId}", "/pet", false],
    ["/pet/{petId}", "/pet/1/images", false],
    ["/pet/{petId}", "/order/1", false],
    ["/pet/{petId}", "/pet*", true],
    ["/pet/{petId}", "/pet/*", true],
    ["/pet/{petId}", "/pe*", true],
    ["/pet/{petId}", "/pets*", false],
    ["/pet/{petId}", "/pet/1*", true],
    ["/pet/{petId}", "/pet/1/*", false],
    ["/pet/{petId}/images", "/pet/1/im*", true],
    ["/pet/{petId}/images", "/pet//im*", false],
    ["/pet/{petId}/images", "/pet/1/x*", false],
    ["/pet/{petId}/images", "/p/1/im*", false],
    ["/pet/{petId}/images", "*", true],
    ["/pet", "/pet", true],
    ["/pet", "/pe", false],
  ] as const)
    assert.equal(mayFit(pattern, rule), fits, `${pattern} ${rule}`)
})
