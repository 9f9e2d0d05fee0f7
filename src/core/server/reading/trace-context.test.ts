import assert from "node:assert/strict"
import { test } from "node:test"
import { traceIdOf } from "./trace-context.ts"

const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]

test("a trace id is read from traceparent of version 00 or later", () => {
  for (const header of [`00-${trace}-${span}-01`, `01-${trace}-${span}-01-more`]) assert.equal(traceIdOf(header), trace)
})

test("a traceparent of another form is none", () => {
  for (const header of [
    undefined,
    "",
    [`00-${trace}-${span}-01`],
    `ff-${trace}-${span}-01`,
    `00-${"0".repeat(32)}-${span}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace}-${span}-01x`,
    `00-${trace.toUpperCase()}-${span}-01`,
  ])
    assert.equal(traceIdOf(header), undefined, `${header}`)
})
