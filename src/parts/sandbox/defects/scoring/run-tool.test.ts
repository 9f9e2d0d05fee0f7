import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { temporaryDirectory } from "../../../../../test/harness/directory.ts"
import { respondWith, startReceiver } from "../../../../../test/harness/receiver.ts"
import type { DefectId } from "../contract.ts"
import { runTool } from "./run-tool.ts"

type Run = { timeoutMs?: number; defects?: DefectId[]; signal?: AbortSignal }

/** Runs of a shell script as a tool, whose temporary files have a directory of their own, against a service of which only the requests matter. */
async function openRuns(t: TestContext) {
  const receiver = await startReceiver()
  receiver.respond(({ url }, response) => {
    response.setHeader("content-type", "application/json")
    response.end(url?.endsWith("/login") ? '"token"' : '{"secret":"reader"}')
  })
  const directory = temporaryDirectory()
  const { TMPDIR } = process.env
  process.env.TMPDIR = directory.path
  t.after(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    directory[Symbol.dispose]()
    await receiver[Symbol.asyncDispose]()
  })
  const output = join(directory.path, "output")
  return {
    receiver,
    requests: () =>
      receiver.received
        .splice(0)
        .map(({ path, body }) => `${path} ${body}`.replace(/defects-[0-9a-f-]{36}/, "NAME").trim()),
    output: () => readFileSync(output, "utf8"),
    files: () => readdirSync(directory.path).filter((file) => file !== "output"),
    run: (script: string, { timeoutMs = 10_000, defects = [], signal = new AbortController().signal }: Run = {}) =>
      runTool(
        {
          url: receiver.url,
          command: "/bin/sh",
          args: ["-c", script],
          timeoutMs,
          signal,
          environment: { ...process.env, OUTPUT: output },
          stdio: "ignore",
        },
        defects,
      ),
  }
}

const report = '<testsuite><testcase name="reads"><failure/></testcase></testsuite>'
const write = `echo '${report}' > "$TEST_REPORT"`

test("a tool runs in a sandbox with the defects, which is removed with the files, also when the tool fails", async (t) => {
  const { run, requests, output, files, receiver } = await openRuns(t)
  const keys = "$TEST_KEY $TEST_LIMITED_KEY $TEST_READER_KEY $TEST_USER_TOKEN"
  const said = `echo "$TEST_URL $TEST_OPENAPI ${keys}" > "$OUTPUT"`
  assert.deepEqual(await run(`${said}; exit 3`, { defects: ["emoji-fails"] }), { code: 3, failures: undefined })
  const [url = "", ...others] = output().trimEnd().split(" ")
  assert.match(url, new RegExp(`^${receiver.url}/s/defects-[0-9a-f-]{36}$`))
  assert.deepEqual(others, [`${url}/api/v3/openapi.json`, "special-key", "free-key", "reader", "token"])
  const all = [
    '/s/NAME/api/v3/keys {"name":"reader","scopes":["read:pets"]}',
    '/s/NAME/api/v3/user/login {"username":"user2","password":"password2"}',
    '/s/NAME/api/v3/sandbox/defects {"defects":["emoji-fails"]}',
    "/api/v3/sandboxes/NAME",
  ]
  assert.deepEqual([requests(), files()], [all, []])

  await assert.rejects(run('echo "no report" > "$TEST_REPORT"'), SyntaxError)
  assert.deepEqual([requests(), files()], [all.map((one) => one.replace('"emoji-fails"', "")), []])
  receiver.respond(respondWith(403))
  await assert.rejects(run("exit 0"), { status: 403 })
  assert.deepEqual([requests().length, files()], [2, []])
})

test("a report is read unless the tool was killed, and may be removed with its directory", async (t) => {
  const { run, files } = await openRuns(t)
  const failures = new Set(["reads"])
  assert.deepEqual(await run(write), { code: 0, failures })
  assert.deepEqual(await run(`${write}; exit 1`), { code: 1, failures })
  const killed = { code: 124, failures: undefined }
  assert.deepEqual(await run(`${write}; exec sleep 1000`, { timeoutMs: 50 }), killed)
  assert.deepEqual(await run(`${write}; kill -KILL $$`), killed)
  assert.deepEqual(await run('rm -r "$(dirname "$TEST_REPORT")"'), { code: 0, failures: undefined })
  assert.deepEqual(files(), [])
})

test("an interruption ends the tool, whose sandbox and files are removed", async (t) => {
  const { run, files, requests } = await openRuns(t)
  const ending = new AbortController()
  const running = run("exec sleep 1000", { signal: ending.signal })
  ending.abort(new Error("interrupted"))
  await assert.rejects(running, new Error("interrupted"))
  assert.deepEqual([requests().at(-1), files()], ["/api/v3/sandboxes/NAME", []])
})
