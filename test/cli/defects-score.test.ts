import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const url = "http://127.0.0.1:8080"

/** The file of a JUnit report in which these failed. */
function report(name: string, ...failed: string[]): string {
  const file = join(directory.path, name)
  const cases = failed.map((each) => `<testcase name="${each}"><failure/></testcase>`)
  writeFileSync(file, `<testsuite>${cases.join("")}</testsuite>`)
  return file
}
const score = (...flags: string[]) => petstoreCommand(url, ["defects", "score", ...flags])

test("findings are a table with the first three failures, and a count", async () => {
  const clean = report("clean.xml", "flaky")
  const found = report("found=1.xml", "flaky", "a", "b", "c", "d")
  const flags = ["--clean", clean, "--report", `emoji-fails=${found}`, "--report", ` zero-fails =${clean}`]
  const table = `defect       outcome  by
emoji-fails  found    a; b; c
zero-fails   missed
`
  assert.deepEqual(await score(...flags), {
    code: 0,
    out: `${table}\n1 of 2 found, 1 missed; 1 reports without a defect\n`,
    err: "",
  })
  assert.equal(
    (await score(...flags, "--json")).out,
    `${JSON.stringify({
      findings: [
        { defect: "emoji-fails", outcome: "found", by: ["a", "b", "c", "d"] },
        { defect: "zero-fails", outcome: "missed", by: [] },
      ],
      withoutDefect: ["flaky"],
    })}\n`,
  )
})

test("a report is the defect and its file, and both kinds of reports are required", async () => {
  const clean = report("clean.xml")
  for (const [flags, message] of [
    [[], "--clean and --report are required"],
    [["--clean", clean], "--clean and --report are required"],
    [["--report", `emoji-fails=${clean}`], "--clean and --report are required"],
    [["--clean", clean, "--report", "emoji-fails"], '--report is "emoji-fails"; it must be ID=FILE'],
    [["--clean", clean, "--report", "emoji-fails="], '--report is "emoji-fails="; it must be ID=FILE'],
    [["--clean", clean, "--report", `emoji-fail=${clean}`], '"emoji-fail" is not a defect; did you mean emoji-fails?'],
    [["--clean", clean, "--report", `=${clean}`], '"" is not a defect; see docs/defects.md'],
    [
      ["--clean", "/nowhere", "--report", `emoji-fails=${clean}`],
      "/nowhere cannot be read as a report: ENOENT: no such file or directory, open '/nowhere'",
    ],
  ] as const)
    assert.deepEqual(await score(...flags), { code: 2, out: "", err: `petstore: ${message}\n` })
})

test("a run has a command, known defects and a positive time", async () => {
  const run = async (...flags: string[]) => (await petstoreCommand(url, ["defects", "run", ...flags])).err
  assert.equal(await run(), "petstore: the command is missing: petstore defects run -- schemathesis run …\n")
  assert.equal(
    await run("--only", "emoji-fails, zero", "--", "true"),
    'petstore: " zero" is not a defect; see docs/defects.md\n',
  )
  for (const timeout of ["0", "-1", "soon"])
    assert.equal(await run(`--timeout=${timeout}`, "--", "true"), "petstore: --timeout must be a number of seconds\n")
})
