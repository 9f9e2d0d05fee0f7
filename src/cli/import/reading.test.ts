import assert from "node:assert/strict"
import { test } from "node:test"
import { UsageError } from "../command/command.ts"
import { describeReading, readReadOptions } from "./reading.ts"

const input = (flags: Record<string, (string | boolean)[]>) => ({ arguments: {}, flags, rest: [] })

test("the flags of an import say how to read the file", () => {
  assert.deepEqual(readReadOptions(input({})), { newIds: false, map: new Map(), titles: undefined })
  assert.deepEqual(
    readReadOptions(input({ "new-ids": [true], map: ["species=category", "x=nothing"], columns: ["name,type"] })),
    {
      newIds: true,
      map: new Map([
        ["species", "category"],
        ["x", undefined],
      ]),
      titles: ["name", "type"],
    },
  )
  assert.throws(
    () => readReadOptions(input({ map: ["species"] })),
    (error: Error) => error instanceof UsageError && error.message.startsWith('--map: "species" is not TITLE=COLUMN'),
  )
})

test("a reading is described in one spelling, by the flags that decide which pets the lines are", () => {
  assert.equal(describeReading(input({ "new-ids": [true] })), undefined)
  assert.equal(describeReading(input({ columns: ["name,type"] })), "--columns name,type")
  assert.equal(
    describeReading(input({ map: ["b=name", "a=tags"], columns: ["a,b"] })),
    "--map a=tags --map b=name --columns a,b",
  )
})
