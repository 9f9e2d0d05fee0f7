import assert from "node:assert/strict"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"

test("a data directory that others can read, and that is not the service's alone, is logged at the start", async () => {
  const warnings = async (file: string) => {
    using directory = temporaryDirectory()
    writeFileSync(join(directory.path, file), "")
    chmodSync(directory.path, 0o755)
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: directory.path } })
    return petstore.lines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level > 30)
      .map(({ msg, paths }) => [msg, paths.map((path: string) => path.replace(directory.path, "DATA"))])
  }
  assert.deepEqual(await warnings("notes.txt"), [["other users of this machine can read these", ["DATA"]]])
  assert.deepEqual(await warnings("petstore.db"), [])
})
