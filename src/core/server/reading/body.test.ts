import assert from "node:assert/strict"
import type { IncomingHttpHeaders } from "node:http"
import { test } from "node:test"
import { isEmptyObject } from "./body.ts"

const json = { "content-type": "application/json" }

test("an empty object may have white space, and its type is JSON or none", () => {
  const cases: [text: string, headers: IncomingHttpHeaders, isEmpty: boolean][] = [
    ["{}", {}, true],
    [" {\t\r\n} ", json, true],
    ["{}", { "content-type": "application/json; charset=utf-8" }, true],
    [`{}${" ".repeat(62)}`, {}, true],
    [`{}${" ".repeat(63)}`, {}, false],
    ["{}", { "content-type": "text/plain" }, false],
    ["{}x", {}, false],
    ["x{}", {}, false],
    ["", {}, false],
    ["[]", {}, false],
  ]
  for (const [text, headers, isEmpty] of cases) assert.equal(isEmptyObject(Buffer.from(text), headers), isEmpty, text)
})
