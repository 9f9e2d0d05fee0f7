import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { createInterface } from "node:readline"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { root } from "../harness/together.ts"
import { until } from "../harness/until.ts"

/** A service for a program that reads its address; its temporary files are in `directory`. */
async function serve(directory: string, port = "0") {
  const child = spawn("bin/petstore", ["serve", "--ephemeral", "--port", port, "--print-url"], {
    cwd: root,
    env: { ...process.env, TMPDIR: directory },
    stdio: ["pipe", "pipe", "pipe"],
  })
  child.stderr.resume()
  const ended = once(child, "exit")
  const lines: string[] = []
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line))
  await until(() => lines.length > 0 || child.exitCode !== null, "it prints no address")
  return { child, ended, lines, url: lines[0] ?? "" }
}

const responds = (url: string) =>
  fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  )

const ends: Record<string, (child: ChildProcess) => unknown> = {
  "its standard input is closed": ({ stdin }) => stdin?.end(),
  "it is interrupted": (child) => child.kill("SIGINT"),
  "it is terminated": (child) => child.kill("SIGTERM"),
}

for (const [how, end] of Object.entries(ends))
  test(`serve --ephemeral prints its address alone, stops when ${how}, and leaves nothing`, async () => {
    using directory = temporaryDirectory()
    const { child, ended, lines, url } = await serve(directory.path)
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
    const added = await fetch(`${url}/api/v3/pet`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json" },
      body: JSON.stringify({ name: "Rex", photoUrls: [] }),
    })
    assert.equal(added.status, 200)
    assert.equal(readdirSync(directory.path).length, 1)
    end(child)
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual([await responds(url), readdirSync(directory.path), lines], [false, [], [url]])
  })

test("a service whose starter is killed stops", async () => {
  using directory = temporaryDirectory()
  const { child, url } = await serve(directory.path)
  assert.ok(await responds(url))
  child.kill("SIGKILL")
  await until(async () => !(await responds(url)), "it still responds")
})

test("a service that cannot start says why, with its exit code", async () => {
  using directory = temporaryDirectory()
  const { ended, lines } = await serve(directory.path, "70000")
  assert.deepEqual([await ended, lines, readdirSync(directory.path)], [[1, null], [], []])
})
