import assert from "node:assert/strict"
import { fork } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { constants, getPriority } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { makeImage } from "../../../test/harness/images.ts"
import type { DecodeJob } from "./worker.ts"

const program = join(import.meta.dirname, "worker-main.ts")
const start = (memoryBytesMax: number) => fork(program, [`${memoryBytesMax}`], { execArgv: [], stdio: "ignore" })

test("a decoder reports each result, yields to other processes, and ends with the service (slow)", async () => {
  using directory = temporaryDirectory()
  const child = start(2 ** 40)
  const next = async () => (await once(child, "message"))[0]
  assert.deepEqual(await next(), { kind: "ready" })
  assert.equal(getPriority(child.pid), constants.priority.PRIORITY_BELOW_NORMAL)
  const decode = async (job: Partial<DecodeJob>) => {
    const report = next()
    child.send({ file: join(directory.path, "upload"), directory: directory.path, ...job })
    const { memoryBytes, ...rest } = await report
    assert.ok(memoryBytes > 2 ** 20)
    return rest
  }
  writeFileSync(join(directory.path, "upload"), await makeImage("png", 3, 2))
  const { kind, decoded } = await decode({})
  assert.deepEqual([kind, decoded.type, decoded.width, decoded.height], ["decoded", "image/png", 3, 2])
  writeFileSync(join(directory.path, "upload"), "text")
  assert.deepEqual(await decode({}), {
    kind: "refused",
    code: "unsupported-image",
    detail: "The file is not an image by its content; send JPEG, PNG, WebP, GIF or AVIF",
  })
  const file = join(directory.path, "missing")
  assert.deepEqual(await decode({ file }), {
    kind: "failed",
    reason: `ENOENT: no such file or directory, open '${file}'`,
  })
  const ended = once(child, "exit")
  child.disconnect()
  assert.deepEqual(await ended, [0, null])
})

test("a decoder that uses more memory than it may ends (slow)", async () => {
  const child = start(1)
  assert.deepEqual(await once(child, "exit"), [1, null])
})
