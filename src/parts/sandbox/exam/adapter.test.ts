import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import timers from "node:timers/promises"
import { applyToImports } from "../../../../test/harness/builtins.ts"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { Missed, Unclaimed, Unmeasured } from "../../../examiner/verdict.ts"
import { openAdapter } from "./adapter.ts"

const line = { task: "t", do: "readPet", url: "http://a", key: "k", timeoutSeconds: 2, input: { id: 1 } } as const

/** Whether a process runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const open = (script: string, show?: (line: string) => void) =>
  openAdapter({ command: "/bin/sh", args: ["-c", script], environment: { WORD: "here" } }, show)

test("an adapter reads a line for each action and writes one: a result, an error of the client or its own, or that it claims nothing", async () => {
  const long = "x".repeat(250)
  const lines = [
    '{"result":{"a":1},"error":null}',
    '{"result":null}',
    '{"error":404,"result":1}',
    '{"unclaimed":"no <keys>","error":"x"}',
    '{"failed":"no <pets>","result":1}',
    `no ${long}`,
    ...["{}", "[]", "null", '"done"', "12"],
  ]
  const adapter = await open(lines.map((text) => `read -r given; echo '${text}'`).join("\n"))
  assert.deepEqual(await adapter.say(line), { error: "null" })
  assert.deepEqual(await adapter.say(line), { result: null })
  assert.deepEqual(await adapter.say(line), { error: "404" })
  await assert.rejects(adapter.say(line), new Unclaimed("no <keys>"))
  await assert.rejects(adapter.say(line), new Unmeasured("the adapter failed: no <pets>"))
  for (const text of [`no ${"x".repeat(197)}`, ...lines.slice(6)])
    await assert.rejects(
      adapter.say(line),
      new Unmeasured(`the adapter wrote a line without result, error or unclaimed: ${text}`),
    )
  await adapter.close()

  const talk: string[] = []
  const echo = 'while read -r given; do echo "{\\"result\\":[$given,\\"$WORD\\"]}"; done'
  const echoing = await open(echo, (text) => talk.push(text))
  assert.deepEqual(await echoing.say(line), { result: [line, "here"] })
  assert.deepEqual(talk, [`> ${JSON.stringify(line)}`, `< {"result":[${JSON.stringify(line)},"here"]}`])
  await echoing.close()
})

test("of an adapter that ends nothing is measured: it has its exit code or signal, and the end of its complaint", async () => {
  const coded = await open(
    `echo out of order >&2; i=0; while [ $i -lt 300 ]; do echo 1234567 >&2; i=$((i+1)); done; exit 3`,
  )
  await assert.rejects(
    coded.say(line),
    new Unmeasured(`the adapter ended with exit code 3: ${"1234567\n".repeat(300).slice(-300).trim()}`),
  )
  await assert.rejects(coded.say(line), Unmeasured)
  await coded.close()
  const killed = await open("kill -TERM $$")
  await assert.rejects(killed.say(line), new Unmeasured("the adapter ended with SIGTERM: "))
  await killed.close()
  await assert.rejects(openAdapter({ command: "no-such-program", args: [], environment: {} }), { code: "ENOENT" })
})

test("an adapter that reads no more may still say something", async () => {
  const adapter = await open(`read -r given; exec <&-; echo '{"result":1}'; echo '{"result":2}'`)
  assert.deepEqual(await adapter.say(line), { result: 1 })
  assert.deepEqual(await adapter.say(line), { result: 2 })
  await adapter.close()
})

test("an adapter may finish its work when its input ends", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "done")
  const adapter = await open(`while read -r given; do echo '{"result":1}'; done; echo whole > ${file}`)
  await adapter.say(line)
  await adapter.close()
  assert.equal(readFileSync(file, "utf8"), "whole\n")
})

test("an adapter that says something in time leaves no timer", async (t) => {
  const adapter = await open("read -r given; echo '{\"result\":1}'; read -r more")
  const started = t.mock.method(timers, "setTimeout")
  applyToImports(t)
  await adapter.say(line)
  const [ms, , { signal } = {}] = started.mock.calls[0]?.arguments ?? []
  assert.deepEqual([started.mock.callCount(), ms, signal?.aborted], [1, 20_000, true])
  await adapter.close()
})

test("an adapter that says nothing in time is missed", async () => {
  const silent = { command: "/bin/sh", args: ["-c", "read -r given; read -r more"], environment: {} }
  const adapter = await openAdapter(silent, undefined, 20)
  await assert.rejects(adapter.say(line), new Missed("nothing was said within 0.02 seconds"))
  await adapter.close()
})

test("an adapter that does not end with its input is killed, with what it started (slow)", async () => {
  const before = process.listenerCount("exit")
  const adapter = await open('sleep 1000 & echo "{\\"result\\":[$$,$!]}"; wait')
  assert.equal(process.listenerCount("exit"), before + 1)
  const { result } = (await adapter.say(line)) as { result: number[] }
  assert.deepEqual(result.map(isRunning), [true, true])
  await adapter.close()
  assert.deepEqual([process.listenerCount("exit"), isRunning(result[0] ?? 0)], [before, false])
})
