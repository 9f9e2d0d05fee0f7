import assert from "node:assert/strict"
import { test } from "node:test"
import { hideInJson } from "./json-secrets.ts"

const key = `psk_${"a".repeat(40)}`

for (const [name, text, shown] of [
  ["no secret", '{ "a" : [1, "b", {"c":null}] }', '{ "a" : [1, "b", {"c":null}] }'],
  ["a secret member", '{"password": "a", "name": "b"}', '{"password": "***", "name": "b"}'],
  ["a hidden one", '{"password": "***"}', '{"password": "***"}'],
  ["a number", '{"token":12.5e3,"a":1}', '{"token":"***","a":1}'],
  [
    "what says nothing",
    '{"token":true,"secret":false,"password":null}',
    '{"token":true,"secret":false,"password":null}',
  ],
  ["an object", '{"token":{"a":{"b":1},"c":[2]},"d":3}', '{"token":"***","d":3}'],
  ["a list", '{"tokens":[["a"],"b",{"c":"d"}],"e":[4]}', '{"tokens":"***","e":[4]}'],
  [
    "only its own value",
    '{"token":"a","name":["b","c"],"d":{"e":"f"}}',
    '{"token":"***","name":["b","c"],"d":{"e":"f"}}',
  ],
  ["lists in lists", '[["token","a"],{"b":["secret","c"]}]', '[["token","a"],{"b":["secret","c"]}]'],
  ["a credential in a text", `["a ${key}", {"b": "${key}"}]`, '["a ***", {"b": "***"}]'],
  ["an escaped name", '{"pass\\u0077ord":"a","b\\"token":"c"}', '{"pass\\u0077ord":"***","b\\"token":"***"}'],
  ["an escaped value", '{"a":"\\u00e9 \\"b\\" \\\\"}', '{"a":"\\u00e9 \\"b\\" \\\\"}'],
  ["brackets in texts", '{"password":"a}]","b":"{[","c":1}', '{"password":"***","b":"{[","c":1}'],
  ["brackets in texts of a secret value", '{"token":["]","}"],"b":1}', '{"token":"***","b":1}'],
  ["two", '{"token":"a","b":1,"secret":[2],"c":3}', '{"token":"***","b":1,"secret":"***","c":3}'],
  ["a value alone", '"token"', '"token"'],
] as const)
  test(`of JSON with ${name}, secrets alone are replaced`, () => assert.equal(hideInJson(text), shown))
