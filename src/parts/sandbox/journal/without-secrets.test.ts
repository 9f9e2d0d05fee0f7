import assert from "node:assert/strict"
import { test } from "node:test"
import { withoutSecrets } from "./without-secrets.ts"

const key = `psk_${"a".repeat(32)}`
const form = "application/x-www-form-urlencoded"

test("of headers, secret ones are hidden, and the identifying one has the id of its credential", () => {
  const headers = new Map([
    ["api_key", "a"],
    ["authorization", "Bearer b"],
    ["x-note", `is ${key}`],
    ["accept", "text/html"],
  ])
  const others = { "x-note": "is ***", accept: "text/html" }
  const shown = (identifying?: { header: string; id: string }) => withoutSecrets.inHeaders(headers, identifying)
  assert.deepEqual(shown(), { api_key: "***", authorization: "***", ...others })
  const byKey = shown({ header: "api_key", id: "key 1" })
  assert.deepEqual(byKey, { api_key: "key 1", authorization: "***", ...others })
  assert.deepEqual(shown({ header: "accept", id: "key 1" }), { api_key: "***", authorization: "***", ...others })
})

test("of a query or form the values of secret parameters are hidden as a whole", () => {
  for (const [query, shown] of [
    ["a=1&token=2=3&b", "a=1&token=***&b"],
    ["token=", "token="],
    ["%74oken=1", "%74oken=***"],
    [`a=${key}`, "a=***"],
    [`a=%C3%A9+${key}`, "a=%C3%A9+***"],
    [`a=%C3%A9%20%70sk_${"a".repeat(32)}`, "a=%C3%A9%20***"],
    ["a=%C3%A9", "a=%C3%A9"],
  ] as const) {
    assert.equal(withoutSecrets.inQuery(query), shown)
    assert.equal(withoutSecrets.inBody(query, `${form}; charset=utf-8`, false), shown)
  }
  assert.equal(withoutSecrets.inQuery("token"), "token")
  assert.equal(withoutSecrets.inBody('{"token":"x"}', form, false), '{"token":"***"}', "JSON under the type of a form")
  assert.equal(withoutSecrets.inPath(`/pet/${key}%20`), "/pet/***%20")
})

test("a body of JSON is searched by its names, another one is shown only when it can name no secret", () => {
  for (const [name, text, isTruncated, shown] of [
    ["JSON", '{"password":"a","b":"c"}', false, '{"password":"***","b":"c"}'],
    ["JSON that is cut", '{"password":"a","b":"c"}', true, "***"],
    ["JSON that is cut and names none", '{"b":"c","d', true, '{"b":"c","d'],
    ["JSON that is malformed", '{"password":"a"', false, "***"],
    ["a text", "some text", false, "some text"],
    ["a text with a credential", `some ${key} text`, false, "some *** text"],
    ["a text with an encoded one", `some %70sk_${"a".repeat(32)} text`, false, "***"],
    ["a text in UTF-16", "s\0o\0m\0e", false, "***"],
    ["a text whose credential is cut", "some psk_abc", true, "some ***"],
    ["a text with the beginning of one", "some psk_abc", false, "some psk_abc"],
  ] as const)
    assert.equal(withoutSecrets.inBody(text, "application/json", isTruncated), shown, name)
})
