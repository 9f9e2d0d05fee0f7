import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../../test/harness/directory.ts"
import { until } from "../../../../../test/harness/until.ts"
import { Missed } from "../../../../examiner/verdict.ts"
import { commandAgent } from "./command-agent.ts"

const given = { words: 'Order "a pet"', url: "http://a/mcp", key: "k" }
const run = (script: string, limitMs?: number) =>
  commandAgent({ command: "/bin/sh", args: ["-c", script, "agent"], environment: { WORD: "here" } }, limitMs)(given)

test("an agent has the words as its last argument, on standard input and in its environment, with the tools and the key", async () => {
  const script = `[ "$1" = "$EXAM_TASK" ] && [ "$(cat)" = "$1" ] && printf '{"url":"%s","key":"%s","word":"%s"}' "$MCP_URL" "$MCP_KEY" "$WORD"`
  assert.deepEqual(await run(script), { url: "http://a/mcp", key: "k", word: "here" })
})

test("the last line of JSON counts, among any others, also as a model marks it", async () => {
  assert.deepEqual(await run(`printf 'x\\n{"a":1}\\n{"a":\\n  \`{"a":2}\`\\r\\n[3]\\nDone.'`), { a: 2 })
  assert.equal(await run("echo Done."), undefined)
  assert.equal(await run("exec >&-"), undefined)
})

test("an agent that ends with an error is missed, with the end of its complaint", async () => {
  await assert.rejects(
    run(`echo '{"a":1}'; echo no model >&2; exit 3`),
    new Missed("the command ended with exit code 3: no model"),
  )
  await assert.rejects(run("kill -TERM $$"), new Missed("the command ended with SIGTERM:"))
  await assert.rejects(commandAgent({ command: "no-such-program", args: [], environment: {} })(given), {
    code: "ENOENT",
  })
})

/** Whether a process runs: one that has ended, and that nothing has waited for, has no command. */
function isRunning(pid: unknown): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== ""
  } catch {
    return false
  }
}

test("an agent that does not end in time is missed, and what an agent has started is killed (slow)", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "pid")
  const late = run(`sleep 1000 & echo $! > ${file}; wait`, 200)
  await assert.rejects(late, new Missed("the command did not end within 0.2 seconds"))
  const line = await run(`sleep 1000 & echo "{\\"pid\\":$!}"`)
  assert.equal(typeof line?.pid, "number")
  await until(() => ![line?.pid, readFileSync(file, "utf8").trim()].some(isRunning), "what it started still runs")
})
