import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { startReceiver } from "../harness/receiver.ts"
import { inherited } from "../harness/spawn.ts"

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts")

function start(argv: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [main, ...argv], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
}

/** The exit code and what was written to standard error. */
async function ended(child: ChildProcess): Promise<[code: number, said: string]> {
  assert.ok(child.stderr)
  child.stdout?.resume()
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
  return [code, said]
}

test("a wrong setting is a message and a wrong use", async () => {
  const [code, said] = await ended(start(["pets", "get", "1"], { PETSTORE_URLS: "http://a" }))
  assert.equal(code, 2)
  assert.match(said, /^petstore: [^\n]*PETSTORE_URLS[^\n]*\n$/)
})

test("a command without a terminal shows no progress", async () => {
  await using receiver = await startReceiver()
  receiver.respond(
    (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).end("[]"),
  )
  assert.deepEqual(await ended(start(["audit", "verify"], { PETSTORE_URL: receiver.url })), [0, ""])
})

test("a reader that stops early ends a command without an error", async () => {
  const child = start(["completion", "bash"])
  child.stdout?.destroy()
  assert.deepEqual(await ended(child), [0, ""])
})

test("a command ends with the process that started it with a channel, and does not wait for it", async () => {
  await using receiver = await startReceiver()
  const asked = Promise.withResolvers<void>()
  receiver.respond(() => asked.resolve())
  assert.deepEqual((await ended(start(["completion", "tcsh"])))[0], 2)
  const waiting = start(["pets", "get", "1"], { PETSTORE_URL: receiver.url })
  await asked.promise
  waiting.disconnect()
  assert.deepEqual(await ended(waiting), [1, ""])
})
