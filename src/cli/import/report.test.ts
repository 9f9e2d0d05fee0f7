import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { cannotListOpenFiles, countOpen } from "../../../test/harness/open-files.ts"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import { UsageError } from "../command/command.ts"
import { openReport } from "./report.ts"

const line = (number: number) => ({ number, bytes: Buffer.from(`line ${number}`) })
const rejection = { code: "invalid-body", detail: "name\u001b must not be blank" } as const

test("all refused lines are in the file, and the first ten on the terminal", () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, "report")
  for (const count of [10, 11, 12]) {
    const { terminal, written } = recordTerminal()
    const report = openReport(path, terminal)
    for (let n = 1; n <= count; n++)
      report.add(line(n), n === 1 ? { ...rejection, requestId: "r-1", errors: [] } : rejection)
    report.close()
    const shown = Array.from({ length: 10 }, (_, n) => `line ${n + 1}: name\\u001b must not be blank (invalid-body)\n`)
    assert.deepEqual(written, { out: "", err: `${shown.join("")}${count > 10 ? `More in ${path}\n` : ""}` })
    const entries = readFileSync(path, "utf8").trimEnd().split("\n")
    assert.equal(entries.length, count)
    assert.deepEqual(JSON.parse(entries[0] ?? ""), {
      line: 1,
      ...rejection,
      errors: [],
      requestId: "r-1",
      text: "line 1",
    })
    assert.deepEqual(JSON.parse(entries[1] ?? ""), { line: 2, ...rejection, text: "line 2" })
  }
})

test("without a file all refused lines are on the terminal", () => {
  const { terminal, written } = recordTerminal()
  const report = openReport(undefined, terminal)
  for (let n = 1; n <= 12; n++) report.add(line(n), rejection)
  report.close()
  assert.equal(written.err.split("\n").length, 13)
  assert.match(written.err, /^line 12: /m)
  assert.doesNotMatch(written.err, /More/)
})

test("a report is open until it is closed", { skip: cannotListOpenFiles }, () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, "report")
  const report = openReport(path, recordTerminal().terminal)
  assert.equal(countOpen(path), 1)
  report.add(line(1), rejection)
  report.close()
  assert.equal(countOpen(path), 0)
})

test("an empty report leaves no file, and one that cannot be written is refused", () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, "report")
  const { terminal } = recordTerminal()
  openReport(path, terminal).close()
  assert.equal(existsSync(path), false)
  assert.throws(
    () => openReport(directory.path, terminal),
    new UsageError(`the file of --report cannot be written: ${directory.path} is a directory`),
  )
})
