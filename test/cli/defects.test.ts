import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, test } from "node:test"
import { promisify } from "node:util"
import { Interrupted } from "../../src/cli/command/command.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { inherited } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

/** A tool that fails when a pet that does not exist is not 404, as a program for Node. */
const tool = `
const { TEST_URL: url, TEST_KEY: key, TEST_REPORT: report } = process.env
const ask = (path) => fetch(url + "/api/v3" + path, { headers: { api_key: key } })
const checks = { absent: (await ask("/pet/4711")).status === 404, reads: (await ask("/pet/1")).status === 200, picky: false }
const cases = Object.entries(checks).map(([name, ok]) => \`<testcase name="\${name}">\${ok ? "" : "<failure/>"}</testcase>\`)
if (process.argv[1] === "report") (await import("node:fs")).writeFileSync(report, "<testsuite>" + cases.join("") + "</testsuite>")
else process.exit(checks.absent ? 0 : 1)
`
const node = [process.execPath, "--input-type=module", "-e", tool]

describe("petstore defects run", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  test("finds by the exit code what fails with a defect and not without, and removes its sandboxes and files (slow)", async (t) => {
    using temporary = temporaryDirectory()
    const { TMPDIR = tmpdir() } = process.env
    t.after(() => {
      process.env.TMPDIR = TMPDIR
    })
    process.env.TMPDIR = temporary.path
    const only = ["--only", "absent-is-200,emoji-fails"]
    const { code, out, err } = await petstoreCommand(petstore.url, ["defects", "run", ...only, "--", ...node])
    assert.equal(code, 0, err)
    assert.match(out, /^absent-is-200 +found +exit code 1$/m)
    assert.match(out, /^emoji-fails +missed$/m)
    assert.match(out, /1 of 2 found, 1 missed; 0 reports without a defect/)
    assert.equal(err, "without a defect …\n1 of 2  absent-is-200  found\n2 of 2  emoji-fails  missed\n")
    assert.deepEqual((await petstore.as("special-key").listPets()).value.length, 10)
    const left = await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })
    assert.deepEqual(await left.json(), [])
    const files = readdirSync(temporary.path).filter((name) => name.startsWith("petstore-defects-"))
    assert.deepEqual(files, [])
  })

  test("reads a report, and counts what fails without a defect apart (slow)", async () => {
    const only = ["--json", "--only", "absent-is-200"]
    const { out, err } = await petstoreCommand(petstore.url, ["defects", "run", ...only, "--", ...node, "report"])
    assert.deepEqual(
      JSON.parse(out),
      { findings: [{ defect: "absent-is-200", outcome: "found", by: ["absent"] }], withoutDefect: ["picky"] },
      err,
    )
  })

  test("a tool that hangs is killed after the timeout, one that does not exist is an error (slow)", async () => {
    const run = (...args: string[]) =>
      petstoreCommand(petstore.url, ["defects", "run", "--only", "emoji-fails", "--timeout", "0.001", "--", ...args])
    const { out } = await run(process.execPath, "-e", "setInterval(() => {}, 1000)")
    assert.match(out, /emoji-fails +undecided\n\n0 of 1 found, 0 missed, 1 undecided; 1 reports without a defect/)
    const absent = await run("no-such-program")
    assert.equal(absent.code, 1)
    assert.match(absent.err, /no-such-program/)
    assert.match((await run()).err, /the command is missing/)
  })

  test("the output of a tool is shown on demand (slow)", async () => {
    const argv = [
      "defects",
      "run",
      "--only",
      "emoji-fails",
      "--output",
      "--",
      process.execPath,
      "-e",
      "console.log('said')",
    ]
    const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts")
    const env = { ...inherited, PETSTORE_URL: petstore.url }
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...argv], { env })
    assert.match(stdout, /^said\nsaid\nsaid\ndefect /)
  })

  test("after an interruption the sandbox is deleted, and nothing that the tool has started makes it again", async () => {
    const ending = new AbortController()
    const sandboxes = async (): Promise<{ requests: number }[]> => {
      const response = await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })
      return response.json() as Promise<{ requests: number }[]>
    }
    const restless = `setInterval(() => fetch(process.env.TEST_URL + "/api/v3/pet/1").catch(() => {}), 5)`
    const tool = ["/bin/sh", "-c", `"$0" -e '${restless}' & wait`, process.execPath]
    const argv = ["defects", "run", "--", ...tool]
    const running = petstoreCommand(petstore.url, argv, { interrupted: ending.signal })
    await until(async () => (await sandboxes()).some(({ requests }) => requests > 30), "the tool sends nothing")
    ending.abort(new Interrupted("SIGINT"))
    const { code, err } = await running
    assert.deepEqual({ code, err }, { code: 130, err: "without a defect …\n" })
    for (let n = 0; n < 20; n++) assert.deepEqual(await sandboxes(), [])
  })

  test("an unknown defect is refused with the nearest", async () => {
    const { code, err } = await petstoreCommand(petstore.url, ["defects", "run", "--only", "emoji-fail", "--", "true"])
    assert.equal(code, 2)
    assert.match(err, /did you mean emoji-fails\?/)
  })
})

test("petstore defects score judges reports of three forms", async () => {
  using directory = temporaryDirectory()
  const file = (name: string, text: string) => {
    const path = join(directory.path, name)
    writeFileSync(path, text)
    return path
  }
  const junit = (...failed: string[]) =>
    `<?xml version="1.0"?><testsuites><testsuite>${failed
      .map((name) => `<testcase classname="api" name="${name}"><failure message="x"/><error/></testcase>`)
      .join("")}<testcase name="ok"/></testsuite></testsuites>`
  const har = (status: number) =>
    JSON.stringify({
      log: { entries: [{ request: { method: "GET", url: "http://a/pet/0?x=1" }, response: { status } }] },
    })
  const newman = JSON.stringify({ run: { failures: [{ source: { name: "Add a pet" }, error: { test: "is 200" } }] } })
  const score = (clean: string, ...reports: string[]) =>
    petstoreCommand(petstore.url, [
      "defects",
      "score",
      "--json",
      "--clean",
      clean,
      ...reports.flatMap((of) => ["--report", of]),
    ])
  const reports = [
    `emoji-fails=${file("emoji.xml", junit("flaky", "POST /pet"))}`,
    `zero-fails=${file("zero.har", har(500))}`,
    `creation-is-201=${file("created.json", newman)}`,
    `absent-is-200=${file("absent.har", har(404))}`,
  ]
  const { code, out } = await score(file("clean.xml", junit("flaky")), ...reports)
  assert.equal(code, 0)
  const { findings, withoutDefect } = JSON.parse(out)
  assert.deepEqual(withoutDefect, ["api flaky"])
  assert.deepEqual(findings, [
    { defect: "emoji-fails", outcome: "found", by: ["api POST /pet"] },
    { defect: "zero-fails", outcome: "found", by: ["GET /pet/0 500"] },
    { defect: "creation-is-201", outcome: "found", by: ["Add a pet is 200"] },
    { defect: "absent-is-200", outcome: "missed", by: [] },
  ])
  for (const broken of ["<testsuite>", "{}", "{", ""]) {
    const { code, err } = await score(file("broken", broken), "emoji-fails=x")
    assert.equal(code, 2, broken)
    assert.match(err, /cannot be read as a report/)
  }
})
