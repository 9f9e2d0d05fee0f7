import assert from "node:assert/strict"
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { countAllOpen } from "../../../test/harness/open-files.ts"
import {
  makeAllPrivate,
  makePrivate,
  makePrivateDirectory,
  makePrivateFile,
  readIfExists,
  replaceWith,
  writeOnce,
} from "./private.ts"

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)

function writeWith(path: string, mode: number): string {
  writeFileSync(path, "text")
  chmodSync(path, mode)
  return path
}

test("a directory and its missing parents are created for the owner, and an existing one stays as it is", () => {
  using directory = temporaryDirectory()
  const [a, b, c] = [join(directory.path, "a"), join(directory.path, "a/b"), join(directory.path, "a/b/c")]
  makePrivateDirectory(c)
  assert.deepEqual([a, b, c].map(modeOf), ["700", "700", "700"])
  chmodSync(b, 0o755)
  makePrivateDirectory(b)
  assert.equal(modeOf(b), "755")
  const file = writeWith(join(c, "file"), 0o644)
  assert.throws(() => makePrivateDirectory(file), {
    code: "ENOTDIR",
    syscall: "mkdir",
    message: `ENOTDIR: not a directory, mkdir '${file}'`,
  })
  assert.throws(() => makePrivateDirectory(join(file, "below")), { code: "ENOTDIR" })
  assert.throws(() => makePrivateDirectory(join(c, "n".repeat(300))), { code: "ENAMETOOLONG" })
})

test("an empty file is created for the owner, and an existing one stays as it is", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "file")
  const before = countAllOpen()
  makePrivateFile(file)
  assert.deepEqual([modeOf(file), readFileSync(file, "utf8"), countAllOpen()], ["600", "", before])
  writeWith(file, 0o644)
  makePrivateFile(file)
  assert.deepEqual([modeOf(file), readFileSync(file, "utf8")], ["644", "text"])
  assert.throws(() => makePrivateFile(join(directory.path, "missing/file")), { code: "ENOENT" })
})

test("a text is written once, to a file of the owner, and nothing else remains beside it", () => {
  using directory = temporaryDirectory()
  const parent = join(directory.path, "new")
  const file = join(parent, "file")
  const before = countAllOpen()
  writeOnce(file, " one\n")
  assert.throws(() => writeOnce(file, "two"), { code: "EEXIST" })
  assert.deepEqual([modeOf(parent), modeOf(file), readdirSync(parent)], ["700", "600", ["file"]])
  assert.equal(readFileSync(file, "utf8"), " one\n")
  assert.equal(readIfExists(file), "one")
  writeOnce(join(parent, "next"), "three")
  replaceWith(join(parent, "next"), file)
  assert.deepEqual([readIfExists(file), readdirSync(parent)], ["three", ["file"]])
  assert.equal(countAllOpen(), before)
})

test("a missing file has no text, and a file that cannot be read is an error", () => {
  using directory = temporaryDirectory()
  assert.equal(readIfExists(join(directory.path, "missing")), undefined)
  assert.throws(() => readIfExists(directory.path), { code: "EISDIR" })
})

test("permissions of group and others are removed, those of the owner stay, and links are not followed", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "file")
  for (const [before, after] of [
    [0o755, "700"],
    [0o640, "600"],
    [0o604, "600"],
    [0o510, "500"],
    [0o600, "600"],
  ] as const) {
    writeWith(file, before)
    assert.equal(makePrivate(file), true)
    assert.equal(modeOf(file), after)
    chmodSync(file, 0o600)
  }
  const link = join(directory.path, "link")
  symlinkSync(writeWith(file, 0o644), link)
  assert.equal(makePrivate(link), true)
  assert.equal(modeOf(file), "644")
  assert.equal(makePrivate(join(directory.path, "missing")), true)
  assert.equal(makePrivate(join(file, "below")), false, "what cannot be examined may be open to others")
})

test("a directory is made private with everything in it", () => {
  using directory = temporaryDirectory()
  const [outer, inner] = [join(directory.path, "outer"), join(directory.path, "outer/inner")]
  mkdirSync(inner, { recursive: true })
  const files = [writeWith(join(outer, "a"), 0o644), writeWith(join(inner, "b"), 0o666)]
  for (const path of [outer, inner]) chmodSync(path, 0o755)
  makeAllPrivate(outer)
  assert.deepEqual([outer, inner, ...files].map(modeOf), ["700", "700", "600", "600"])
})
