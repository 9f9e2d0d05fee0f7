import assert from "node:assert/strict"
import { test } from "node:test"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { mapDiskErrors, unlessAbsent } from "./disk-errors.ts"

const failure = (code?: string) => Object.assign(new Error("no"), code === undefined ? {} : { code })

test("failures of the disk make the store unavailable with a reason, and other errors stay what they are", async () => {
  for (const [code, reason] of [
    ["ENOSPC", "the disk is full"],
    ["EDQUOT", "the disk's quota is used up"],
    ["EIO", "the disk reported an error"],
    ["EROFS", "the disk is read-only"],
    ["EACCES", "the directory of the images may not be written"],
    ["EMFILE", "too many files are open"],
    ["ENFILE", "too many files are open"],
  ]) {
    const cause = failure(code)
    await assert.rejects(
      mapDiskErrors(() => Promise.reject(cause)),
      (error) => error instanceof StoreUnavailable && error.message === reason && error.cause === cause,
    )
  }
  for (const other of [failure("EISDIR"), failure()])
    await assert.rejects(
      mapDiskErrors(() => Promise.reject(other)),
      (error) => error === other,
    )
  assert.equal(await mapDiskErrors(async () => 7), 7)
})

test("a missing file is nothing, and any other error is thrown", () => {
  assert.equal(unlessAbsent(failure("ENOENT")), undefined)
  for (const code of ["ENOTDIR", undefined]) assert.throws(() => unlessAbsent(failure(code)), /^Error: no$/)
})
