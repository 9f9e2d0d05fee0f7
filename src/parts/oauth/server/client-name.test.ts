import assert from "node:assert/strict"
import { test } from "node:test"
import { nameOfClient } from "./client-name.ts"

const url = "https://agent.example:8443/client.json"

test("the host of a document comes before the name that the document claims", () => {
  for (const [claimed, shown] of [
    ["Agent", "agent.example:8443 (Agent)"],
    ["  A \n\t B  ", "agent.example:8443 (A B)"],
    ["Petstore (petstore.example)", "agent.example:8443 (Petstore (petstore.example))"],
    [undefined, "agent.example:8443"],
    ["\u200b\u2060", "agent.example:8443"],
  ] as const)
    assert.equal(nameOfClient(url, claimed), shown)
  assert.equal(nameOfClient("poc_1", "Walker"), "Walker")
  assert.equal(nameOfClient("poc_1"), "poc_1")
})

test("a name has no character that is invisible or changes the direction of text, of any client", () => {
  const hidden =
    "\u0000\u001b\u007f\u0085\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u202a\u202e\u2060\u2066\u2069\u3164\ufff9\u{e0041}\ud800"
  assert.equal(nameOfClient("poc_1", `A${hidden}B`), "AB")
  assert.equal(nameOfClient(url, `${hidden}A${hidden}`), "agent.example:8443 (A)")
})

test("a name has at most 100 characters, and the end of its host is shown", () => {
  for (const claimed of ["x".repeat(4_000), "é🐶".repeat(2_000), "🐶".repeat(200)]) {
    for (const id of [url, "poc_1"]) {
      const shown = nameOfClient(id, claimed)
      assert.ok(shown.length <= 100 && shown.length >= 98 && shown.isWellFormed(), shown)
    }
  }
  const long = `https://${"petstore.example.".repeat(8)}evil.example/c`
  const shown = nameOfClient(long, "Petstore")
  assert.equal(shown.length, 100)
  assert.match(shown, /^….*\.evil\.example$/)
})
