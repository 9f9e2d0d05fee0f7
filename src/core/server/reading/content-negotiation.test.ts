import assert from "node:assert/strict"
import { test } from "node:test"
import { chooseXml, prefersHtml, prefersXml, requireEventStream } from "./content-negotiation.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

/** What is sent where the operation has JSON and XML, and where it has JSON alone. */
const choices: [accept: string, withXml: "xml" | "json" | "none", withoutXml: "json" | "none"][] = [
  ["*/*", "json", "json"],
  ["", "json", "json"],
  [" , ", "json", "json"],
  ["application/json", "json", "json"],
  ["application/*", "json", "json"],
  ["text/html, */*;q=0.1", "json", "json"],
  ["application/xml", "xml", "none"],
  ["APPLICATION/XML ; Q=0.5", "xml", "none"],
  ["application/xml, application/json", "json", "json"],
  ["application/xml;q=0.8, application/json;q=0.9", "json", "json"],
  ["application/xml;q=0.9, application/json;q=0.8", "xml", "json"],
  ["application/xml;level=1;q=0.5, application/json;q=0.4", "xml", "json"],
  ["application/xml;q=high, application/json;q=0.9", "xml", "json"],
  ["application/xml, application/json;q=0", "xml", "none"],
  ["application/xml;q=0, */*", "json", "json"],
  ["application/xml;q=0.5, text/html, application/json;q=0", "xml", "none"],
  ["application/xml;q=0.5, text/html;q=0.5, */*;q=0.1", "json", "json"],
  ["application/xml;q=0.6, text/html;q=0.5, */*;q=0.1", "xml", "json"],
  [browser, "json", "json"],
  ["text/plain", "none", "none"],
  ["application/json;q=0", "none", "none"],
  ["text/*", "none", "none"],
]

for (const [accept, withXml, withoutXml] of choices)
  test(`Accept: ${accept} gets ${withXml} where there is XML, otherwise ${withoutXml}`, () => {
    for (const [hasXml, form, offered] of [
      [true, withXml, "application/json or application/xml"],
      [false, withoutXml, "application/json"],
    ] as const) {
      const choose = () => chooseXml(accept, hasXml)
      if (form !== "none") assert.equal(choose(), form === "xml")
      else
        assert.throws(choose, {
          code: "not-acceptable",
          detail: `The response is ${offered}, which Accept: ${accept} excludes`,
        })
    }
  })

test("without Accept, no form is preferred to JSON", () => {
  assert.deepEqual([prefersXml(undefined), prefersHtml(undefined)], [false, false])
})

test("HTML is preferred where its quality exceeds that of JSON", () => {
  const preferring = [browser, "text/html", "text/*;q=0.5"]
  const others = ["*/*", "application/json", "text/html, application/json", "text/html;q=0.4, */*;q=0.5"]
  assert.deepEqual(preferring.map(prefersHtml), [true, true, true])
  assert.deepEqual(others.map(prefersHtml), [false, false, false, false])
})

test("an event stream is refused only where Accept excludes it", () => {
  for (const accept of [undefined, "", "text/event-stream", "text/*", "*/*;q=0.1", browser]) requireEventStream(accept)
  for (const accept of ["application/json", "text/event-stream;q=0"])
    assert.throws(() => requireEventStream(accept), {
      code: "not-acceptable",
      detail: `The response is text/event-stream, which Accept: ${accept} excludes`,
    })
})
