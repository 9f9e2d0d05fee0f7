import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { makeKeyFile, promoteKeyFile, readKeyFile, removeKeyFile } from "./key-file.ts"

test("a key reads back from its file, which is created once, replaced and removed", () => {
  using directory = temporaryDirectory()
  const [file, next] = [join(directory.path, "secret.key"), join(directory.path, "secret.key.next")]
  assert.equal(readKeyFile(file), undefined)
  const key = makeKeyFile(file)
  assert.equal(key.length, 32)
  assert.deepEqual(readKeyFile(file), key)
  assert.equal(readFileSync(file, "utf8"), `${Buffer.from(key).toString("base64")}\n`)
  assert.throws(() => makeKeyFile(file), { code: "EEXIST" })
  const newer = makeKeyFile(next)
  assert.notDeepEqual(newer, key)
  promoteKeyFile(next, file)
  assert.deepEqual([readKeyFile(file), existsSync(next)], [newer, false])
  removeKeyFile(file)
  removeKeyFile(file)
  assert.equal(readKeyFile(file), undefined)
})

test("a file with anything but 32 bytes in base64 stops the start", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "secret.key")
  const text = Buffer.alloc(32, 1).toString("base64")
  for (const wrong of [
    "",
    text.slice(1),
    text.slice(0, -1),
    `${text}=`,
    `a${text}`,
    Buffer.alloc(31).toString("base64"),
  ]) {
    writeFileSync(file, wrong)
    assert.throws(
      () => readKeyFile(file),
      new CannotStart(`${file} does not hold a key, 32 bytes in base64; restore it from a backup`),
    )
  }
  writeFileSync(file, ` ${text}\n\n`)
  assert.deepEqual(readKeyFile(file), Buffer.alloc(32, 1))
})
