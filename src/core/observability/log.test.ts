import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { repeatedMembers } from "../../../test/harness/log-lines.ts"

/** The standard output of a process that logs a line of each kind. */
function logged(level: string, format: string): string {
  const program = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))}
    const { log, requestLines } = openLog(${JSON.stringify({ level, format })})
    log.debug("detail")
    requestLines?.write('{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"request"}\\n')
    log.warn({ disk: "images" }, "warning")`
  const args = ["--input-type=module", "--eval", program]
  return execFileSync(process.execPath, args, { encoding: "utf8" })
}

const parse = (output: string) =>
  output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const messages = (output: string) => parse(output).map(({ msg }) => msg)

test("lines below the level are omitted, request lines included (slow)", () => {
  assert.deepEqual(messages(logged("debug", "json")), ["detail", "request", "warning"])
  assert.deepEqual(messages(logged("info", "json")), ["request", "warning"])
  assert.deepEqual(messages(logged("warn", "json")), ["warning"])
  assert.equal(logged("error", "json"), "")
})

test("the text format has a line for each, in order", () => {
  assert.match(logged("info", "text"), /^00:00:00.000 request\n[\d:.]{12} WARN warning disk=images\n$/)
})

test("standard output without a reader costs a bounded memory, and every line is written or counted as lost (slow)", async () => {
  const lines = 16_000
  const program = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))}
    const { requestLines } = openLog({ level: "info", format: "json" })
    const line = JSON.stringify({ msg: "request", rest: "x".repeat(1000) }) + "\\n"
    for (let n = 0; n < ${lines}; n++) {
      requestLines.write(line)
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    process.send("written")
    process.once("message", () => setTimeout(() => process.disconnect(), 500))`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  })
  await once(child, "message")
  child.send("read")
  const output = parse(await text(child.stdout as NodeJS.ReadableStream))
  const lost = output.filter(({ msg }) => msg.startsWith("log lines lost"))
  assert.ok(lost.length > 0)
  assert.ok(output.length < 9000, `${output.length} lines were kept`)
  const count = lost.reduce((sum, { count }) => sum + count, 0)
  assert.equal(output.length - lost.length + count, lines)
})

test("a member that a line repeats is found, in the line itself and not in what it contains", () => {
  assert.deepEqual(
    repeatedMembers('{"level":30,"time":"a","time":"b","err":{"time":1,"msg":"\\"msg\\":"},"msg":"x"}'),
    ["time"],
  )
  assert.deepEqual(repeatedMembers('{"level":30,"a":[{"level":1},"level"],"b":"level","msg":"{\\"level\\":1}"}'), [])
})
