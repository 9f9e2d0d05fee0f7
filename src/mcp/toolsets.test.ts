import assert from "node:assert/strict"
import { test } from "node:test"
import { readToolsets, toolsets } from "./toolsets.ts"

test("toolsets are named in a list, or are all", () => {
  assert.deepEqual(readToolsets(" pets ,orders"), new Set(["pets", "orders"]))
  assert.deepEqual(readToolsets("xyz, all"), new Set(toolsets))
})

test("an unknown toolset is refused with the nearest one or all", () => {
  assert.deepEqual(readToolsets("pets,order"), { refusal: '"order" is not a toolset; did you mean orders?' })
  assert.deepEqual(readToolsets(""), {
    refusal: `"" is not a toolset; toolsets are ${toolsets.join(", ")}, and all`,
  })
})
