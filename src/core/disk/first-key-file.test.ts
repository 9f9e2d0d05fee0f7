import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { firstKeyFile } from "./first-key-file.ts"

const key = (letter: string) => `psk_${letter.repeat(49)}`
const never = () => assert.fail("a second key was made")

test("the first key is written to its file, and a start after a killed one uses the same key", () => {
  using directory = temporaryDirectory()
  const { path, keep } = firstKeyFile(directory.path)
  assert.equal(
    keep(() => key("a")),
    key("a"),
  )
  assert.equal(readFileSync(path, "utf8"), `${key("a")}\n`)
  assert.equal(keep(never), key("a"))
  assert.equal(readFileSync(path, "utf8"), `${key("a")}\n`)
})

test("a file that holds something else stops the start, and stays as it is", () => {
  using directory = temporaryDirectory()
  const { path, keep } = firstKeyFile(directory.path)
  for (const text of ["", "notes", `${key("a")}b`, `x${key("a")}`]) {
    writeFileSync(path, text)
    assert.throws(() => keep(never), CannotStart)
    assert.equal(readFileSync(path, "utf8"), text)
  }
})
