import assert from "node:assert/strict"
import { test } from "node:test"
import { describeFileError } from "./file-error.ts"

test("common errors of files are described with the path, others by their message", () => {
  const described = (code: string) => describeFileError("a.csv", Object.assign(new Error(`${code}: failed`), { code }))
  assert.deepEqual(["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EIO"].map(described), [
    "a.csv does not exist",
    "a.csv may not be accessed",
    "a.csv may not be accessed",
    "a.csv is a directory",
    "a.csv is below a file, not a directory",
    "EIO: failed",
  ])
  assert.equal(describeFileError("a.csv", new Error("no code")), "no code")
})
