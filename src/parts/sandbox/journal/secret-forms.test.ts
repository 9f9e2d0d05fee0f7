import assert from "node:assert/strict"
import { test } from "node:test"
import { decodePercent, hasEncodedSecret, hideInText, isSecretName, mayNameSecret } from "./secret-forms.ts"

test("names of secrets are known in any spelling", () => {
  for (const name of [
    "api_key",
    "API-Key",
    "apikey",
    "Authorization",
    "Set-Cookie",
    "access_token",
    "password",
    "passwd",
    "clientSecret",
    "code_verifier",
    "client_assertion",
  ])
    assert.ok(isSecretName(name), name)
  for (const name of ["name", "apiKeyId", "author", "code", "status"]) assert.ok(!isSecretName(name), name)
})

const key = `psk_${"a".repeat(32)}`
const issued = "b".repeat(43)

for (const [text, shown] of [
  ["nothing", "nothing"],
  ["a@b.example", "a@b.example"],
  ["100 % of it", "100 % of it"],
  [`x ${key} y`, "x *** y"],
  [key.slice(0, -1), key.slice(0, -1)],
  [`x${key}`, `x${key}`],
  [`whsec_${"c".repeat(32)}=`, "***"],
  [issued, "***"],
  [`${issued}b`, `${issued}b`],
  [`${issued}=`, `${issued}=`],
  ["eyJabcde.fghij.klmn", "***"],
  ["http://ada:pw@a.example/", "http://***@a.example/"],
  ["/a?token=1&b=2", "/a?token=***&b=2"],
  ["/a?b=2;secret=3#code=4", "/a?b=2;secret=***#code=***"],
  ["/a?code=1;code=2", "/a?code=***;code=2"],
  ["/a?token=***", "/a?token=***"],
  ["/a?%74oken=1", "/a?%74oken=***"],
  ["/a%3Ftoken%3D1", "/a?token=***"],
  ["/a%3Fb%3D1", "/a%3Fb%3D1"],
  ["/a?b=%zz&token=1", "/a?b=%zz&token=***"],
  [`/a%2F${encodeURIComponent("p")}sk_${"%61".repeat(32)}`, "/a/***"],
] as const)
  test(`of the text ${text} is shown ${shown}`, () => assert.equal(hideInText(text), shown))

test("a text may name a secret in any encoding of forms, JSON and XML", () => {
  for (const text of [
    "my Token",
    "API key api-key",
    "%74oken=1",
    "pass\\u0077ord",
    "&#x73;ecret",
    "&#115;ecret",
    "&#0000000115;ecret",
    "&#x00000073;ecret",
    "a+b%20pas%73wd",
  ])
    assert.ok(mayNameSecret(text), text)
  for (const text of ["name=Rex", "%41", "\\u0041", "&#x41;", "&#65;", "&#x110000;", "tok&#x110000;x", "code_verifier"])
    assert.ok(!mayNameSecret(text), text)
  assert.ok(mayNameSecret("to&#x110000;ken"), "a character that does not exist is none")
  assert.ok(!mayNameSecret("to&#x10ffff;ken"))
})

test("a credential in an encoding is found, one that is not encoded is left to be hidden", () => {
  assert.ok(hasEncodedSecret(`a %70sk_${"a".repeat(32)}`))
  assert.ok(hasEncodedSecret(`a \\u0070sk_${"a".repeat(32)}`))
  assert.ok(hasEncodedSecret(`a &#112;sk_${"a".repeat(32)}`))
  assert.ok(!hasEncodedSecret(`a ${key}`))
  assert.ok(!hasEncodedSecret("a %41 \\u0041 &#65;"))
})

test("percent-encoding that is malformed stays as it is", () => {
  assert.deepEqual(["a%20b", "%zz%41", "%ff%41", "%E2%82%AC"].map(decodePercent), ["a b", "%zzA", "%ff%41", "€"])
})
