import assert from "node:assert/strict"
import { test } from "node:test"
import { CannotStart } from "../kernel/cannot-start.ts"
import { toSqliteStartError } from "./unusable.ts"

test("why a database cannot be opened is explained with what to do, and a bug stays a bug", () => {
  const failure = (more: object) => Object.assign(new Error("no"), more)
  const explained = (error: unknown) => toSqliteStartError("a.db", error)
  const known = new CannotStart("known")
  assert.equal(explained(known), known)
  for (const error of [
    new TypeError("bug"),
    failure({ errcode: 1 }),
    failure({ code: "ERR_SQLITE_ERROR", errcode: 1 }),
  ])
    assert.equal(explained(error), error)
  const messageOf = (error: unknown) => {
    const found = explained(error)
    assert.ok(found instanceof CannotStart)
    return found.message
  }
  assert.equal(
    messageOf(failure({ code: "EACCES" })),
    "The directory of a.db cannot be used: no. Choose another with PETSTORE_DATA_DIR.",
  )
  const backup =
    "Restore it from a backup. To start with an empty store instead, choose another PETSTORE_DATA_DIR and keep this one."
  const directory = "Check the directory's permissions and free space, or choose another with PETSTORE_DATA_DIR."
  for (const [errcode, text] of [
    [11, `the database file is damaged. ${backup}`],
    [11 + 256, `the database file is damaged. ${backup}`],
    [26, `the database file is not a database. ${backup}`],
    [13, `the disk is full. ${directory}`],
    [14, `the database file cannot be opened. ${directory}`],
  ] as const)
    assert.equal(messageOf(failure({ code: "ERR_SQLITE_ERROR", errcode })), `a.db cannot be used: ${text}`)
})
