import assert from "node:assert/strict"
import { test } from "node:test"
import { petFormats } from "./formats.ts"

const pet = { id: 1, name: "Rex", status: "sold" as const, photoUrls: [], tags: [] }
const line = '{"id":1,"name":"Rex","status":"sold","photoUrls":[],"tags":[]}'

test("a file has the head of its format, pets with separators, and a tail", () => {
  const written = Object.values(petFormats).map(({ extension, type, head, separator, tail, write }) => {
    return [extension, type, head + [write(pet), write(pet)].join(separator) + tail]
  })
  const titles = "id,name,category,status,tags,photoUrls,createdAt,updatedAt"
  assert.deepEqual(written, [
    ["ndjson", "application/x-ndjson", `${line}\n${line}\n`],
    ["csv", "text/csv", `\ufeff${titles}\r\n${"1,Rex,,sold,,,,\r\n".repeat(2)}`],
    ["json", "application/json", `[\n${line},\n${line}\n]\n`],
  ])
})
