import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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

/** `petstore try` on a terminal, with a program in `bin` that stands for the browser and writes down what it should open. */
async function tryOut(bin: string, directory: string, environment: object = {}) {
  const opened = join(bin, "opened")
  const opener = join(bin, process.platform === "darwin" ? "open" : "xdg-open")
  writeFileSync(opener, `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`, { mode: 0o755 })
  const { DISPLAY: _, WAYLAND_DISPLAY: __, SSH_CONNECTION: ___, ...rest } = process.env
  const settings = { TMPDIR: directory, PATH: `${bin}:${process.env.PATH}`, PETSTORE_PROFILE: "production" }
  const child = spawn("script", ["-qec", "exec bin/petstore try", "/dev/null"], {
    cwd: root,
    env: { ...rest, ...settings, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  })
  let output = ""
  child.stdout.on("data", (bytes) => {
    output += bytes
  })
  await until(() => /curl .*\/pet\/1/.test(output) || child.exitCode !== null, "it says nothing")
  const [, url = ""] = /Store +(\S+)/.exec(output) ?? []
  return { child, output, url, opened }
}

test("try opens the console signed in, by a link that works once, and Ctrl-C ends it without leaving anything", async () => {
  using bin = temporaryDirectory()
  using directory = temporaryDirectory()
  const { child, url, opened } = await tryOut(bin.path, directory.path, { DISPLAY: ":0" })
  await until(() => existsSync(opened), "nothing is opened")
  const link = readFileSync(opened, "utf8").trim()
  assert.equal((await fetch(new URL("/", link))).status, 404)
  const { status, headers } = await fetch(link, { redirect: "manual" })
  assert.deepEqual([status, headers.get("location")], [303, `${url}/console`])
  const cookie = headers.get("set-cookie") ?? ""
  assert.match(cookie, /; samesite=strict; httponly$/)
  const console = await fetch(`${url}/console`, { headers: { cookie: cookie.split(";")[0] ?? "" } })
  assert.match(await console.text(), /Sign out/)
  await assert.rejects(fetch(link, { redirect: "manual" }))
  const ended = once(child, "exit")
  child.stdin.write("\u0003")
  assert.deepEqual(await ended, [0, null])
  assert.deepEqual([await responds(url), readdirSync(directory.path)], [false, []])
})

test("try without a desktop opens nothing, and a closed terminal ends it without leaving anything", async () => {
  using bin = temporaryDirectory()
  using directory = temporaryDirectory()
  const { child, url, output, opened } = await tryOut(bin.path, directory.path)
  assert.match(output, /Console +\S+\/console, user admin, password admin\r\n/)
  assert.ok(await responds(url))
  assert.ok(!existsSync(opened))
  child.kill("SIGKILL")
  await until(() => readdirSync(directory.path).length === 0, "its data are left")
  assert.equal(await responds(url), false)
})
