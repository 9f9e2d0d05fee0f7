// Runs beside two other files at most.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { type Agent, writeWords } from "../../src/parts/sandbox/exam/agent/agent-task.ts"
import { agentChapters } from "../../src/parts/sandbox/exam/agent/chapters.ts"
import { runAgentExam } from "../../src/parts/sandbox/exam/agent/run-agent-exam.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { usePetstore } from "../harness/use.ts"
import { right } from "./agents/right.ts"
import { type Script, toolsAt } from "./agents/tools.ts"
import { wrong } from "./agents/wrong.ts"

// Some tasks wait in real time.
const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
const tasks = agentChapters.flatMap((chapter) => chapter.tasks)
const nameOf = (words: string) => tasks.find((task) => writeWords(task) === words)?.name ?? assert.fail(words)

/** An agent that does what the script of a task does. */
const scripted =
  (scriptOf: (name: string) => Script | undefined): Agent =>
  async (given) => {
    const name = nameOf(given.words)
    return (scriptOf(name) ?? assert.fail(name))(toolsAt(given), given)
  }

const examine = (agent: Agent, chapters = agentChapters, times = 1) =>
  runAgentExam({ url: petstore.url, agent, chapters, times, signal: new AbortController().signal }, () => {})

const missed = (verdicts: Awaited<ReturnType<typeof examine>>) =>
  verdicts.flatMap(({ name, outcome, observed }) => (outcome === "passed" ? [] : [`${name}: ${observed}`]))

describe("the exam for agents", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("an agent that does each of the 24 tasks right passes each", async () => {
    const verdicts = await examine(scripted((name) => right[name]))
    assert.deepEqual(missed(verdicts), [])
    assert.equal(verdicts.length, 24)
  })

  test("an agent that makes in each task the mistake that it is about misses each, and the verdict says what it was", async () => {
    const verdicts = await examine(scripted((name) => wrong[name]?.[0]))
    for (const { name, outcome, observed = "" } of verdicts) {
      assert.equal(outcome, "missed", name)
      assert.match(observed, wrong[name]?.[1] ?? assert.fail(name), name)
    }
  })

  test("a command is an agent: --times does each task so often, and it is passed when it is passed each time", async () => {
    using directory = temporaryDirectory()
    const [count, junit] = [join(directory.path, "count"), join(directory.path, "agents.xml")]
    // Orders the pet in the first and the third run, and says how many lions there are.
    const script = `
      const { appendFileSync, readFileSync } = require("node:fs")
      const call = (name, values) => fetch(process.env.MCP_URL, {
        method: "POST",
        headers: { "content-type": "application/json", api_key: process.env.MCP_KEY },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } }),
      })
      if (!process.argv.at(-1).startsWith("Order one")) call("listPets", { tag: ["calm"] }).then(() => console.log('{"count":27}'))
      else {
        appendFileSync(${JSON.stringify(count)}, "x")
        if (readFileSync(${JSON.stringify(count)}).length !== 2) call("placeOrder", { petId: 1 })
      }`
    const flags = ["--only", "orders-one-pet,counts-over-pages", "--times", "3", "--junit", junit]
    const { code, out, err } = await petstoreCommand(petstore.url, [
      ...["exam", "--agent", ...flags, "--", process.execPath, "-e", script],
    ])
    assert.equal(code, 1, err)
    assert.match(out, /^ {2}passed {2}counts-over-pages$/m)
    assert.match(out, /missed {2}orders-one-pet\n.*\n *Observed: 1 of 3 times: no request was sent\n/)
    assert.match(out, /\n1 of 2 passed\n$/)
    assert.match(readFileSync(junit, "utf8"), /<testcase classname="Plain work" name="orders-one-pet"><failure /)
    const left = await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })
    assert.deepEqual(await left.json(), [])
  })

  test("an agent that does nothing passes no task", async () => {
    const verdicts = await examine(async () => undefined)
    assert.equal(missed(verdicts).length, tasks.length)
  })
})
