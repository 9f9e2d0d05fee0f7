import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { type DecoderLimits, decoderProcesses } from "../../src/core/imaging/decoder.ts"
import { Problem } from "../../src/core/kernel/problem.ts"
import { imageDecoderConformance } from "../conformance/image-decoder/suite.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { makeImage } from "../harness/images.ts"
import { until } from "../harness/until.ts"

imageDecoderConformance("Processes with sharp", decoderProcesses)

/** The processes of decoders that this process has started. */
const decodersOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "" && isDecoder(child))

function isDecoder(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("worker-main")
  } catch {
    return false
  }
}

/** Decodes a small image, or another file, with these limits. */
async function decoderWith(limits: Partial<DecoderLimits>) {
  const directory = temporaryDirectory()
  const decoder = decoderProcesses(limits)
  const file = join(directory.path, "sent")
  await writeFile(file, await makeImage("png", 8, 8))
  return {
    decode: (sent = file, path = directory.path, accountId = 1) => decoder.decode(sent, path, accountId),
    [Symbol.dispose]() {
      decoder[Symbol.dispose]()
      directory[Symbol.dispose]()
    },
  }
}

const cannotListChildren = !existsSync(`/proc/${process.pid}/task`) && "there is no /proc"

test("a process is used again, ends when it is idle, and the next image starts another one", {
  skip: cannotListChildren,
}, async () => {
  const others = new Set(decodersOf(process.pid))
  const own = () => decodersOf(process.pid).filter((pid) => !others.has(pid))
  using decoder = await decoderWith({ processes: 1, idleMs: 500 })
  for (let n = 0; n < 3; n++) assert.ok(!((await decoder.decode()) instanceof Problem))
  const [first, ...more] = own()
  assert.ok(first && more.length === 0)
  await until(() => own().length === 0, "the process is idle and does not end")
  assert.ok(!((await decoder.decode()) instanceof Problem))
  assert.notDeepEqual(own(), [first])
})

test("an idle process that was killed is not used again", { skip: cannotListChildren }, async () => {
  const others = new Set(decodersOf(process.pid))
  using decoder = await decoderWith({ processes: 1 })
  const own = () => decodersOf(process.pid).filter((pid) => !others.has(pid))
  await decoder.decode()
  const [first] = own()
  process.kill(Number(first), "SIGKILL")
  await until(() => !existsSync(`/proc/${first}`), "the process was not killed")
  assert.ok(!((await decoder.decode()) instanceof Problem))
})

test("an idle process keeps the service neither alive nor waiting", async () => {
  using decoder = await decoderWith({ processes: 1 })
  const awaited = () =>
    process
      .getActiveResourcesInfo()
      .filter((resource) => /Timeout|Process|Pipe/.test(resource))
      .sort()
  const before = awaited()
  await decoder.decode()
  assert.deepEqual(awaited(), before)
  assert.ok(!before.includes("ProcessWrap"), "nor do those that are being killed")
})

test("concurrent images are decoded by a process each", async () => {
  using decoder = await decoderWith({ processes: 2 })
  await decoder.decode()
  using other = temporaryDirectory()
  const file = join(other.path, "sent")
  await writeFile(file, await makeImage("png", 16, 8))
  const outcomes = await Promise.all([decoder.decode(), decoder.decode(file, other.path, 2)])
  assert.deepEqual(
    outcomes.map((outcome) => !(outcome instanceof Problem) && outcome.width),
    [8, 16],
  )
})

test("sixteen images of an account wait at most", async () => {
  using decoder = await decoderWith({ processes: 1 })
  const outcomes = await Promise.allSettled(Array.from({ length: 18 }, () => decoder.decode()))
  const refused = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)
  assert.deepEqual(refused, [...Array(17).fill(false), "unavailable"])
})

test("an image that takes too long, or too much memory, is refused", async () => {
  for (const limits of [{ timeoutMs: 0 }, { memoryBytesMax: 1024 }]) {
    using decoder = await decoderWith(limits)
    const refusal = await decoder.decode().catch((error: unknown) => error)
    assert.ok(refusal instanceof Problem)
    assert.ok(["unreadable-image", "unavailable"].includes(refusal.code), refusal.code)
  }
})
